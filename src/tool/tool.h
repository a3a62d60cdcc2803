// A tool, and one call of it.
//
//   auto arguments = ParseArguments(tool.definition().fields, text, Leniency::kStrict);
//   auto invocation = tool.Prepare(*std::move(arguments));
//   auto answer = (*invocation)->Run({.cancel = token});
//   answer->text;                                 // for a reader
//   answer->take_document();                      // for a program
//   answer->hints;                                // what would have matched, with RunOptions::hints
//
// `call`, `mcp` and tests all work like this. JSON is read once (parse.h);
// after that a request is a struct, and hints come from the response, not from
// its text.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forge/cancel.h"
#include "forge/engine.h"
#include "forge/progress.h"
#include "forge/result.h"
#include "tool/schema.h"
#include "tool/write.h"

namespace forge::tool {

struct RunOptions {
  CancelToken cancel = {};
  ProgressSink progress = {};
  bool hints = false;  // wanted, if nothing is found
};

struct Answer {
  std::string text;                         // what a model or a person reads, in UTF-8
  std::function<Document()> take_document;  // all of it as JSON, made for a caller that asks; once
  // One line for each change that would have found something. They depend on time,
  // so they are not part of the text.
  std::vector<std::string> hints = {};
};

// One call: its request is checked and waits to be run. Used by one thread at a
// time.
class Invocation {
 public:
  virtual ~Invocation() = default;

  // Once.
  virtual Result<Answer> Run(const RunOptions& options) = 0;
};

// Thread-safe.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual const Definition& definition() const = 0;

  // The arguments of a model, which may be written in its own way (parse.h).
  virtual Result<Arguments> ReadLeniently(nlohmann::json&& arguments) const;

  // `arguments` were read with the fields of the definition. BadArgs names the
  // field at fault. The tool must outlive the invocation.
  virtual Result<std::unique_ptr<Invocation>> Prepare(Arguments arguments) = 0;
};

// Returns the engine, or why there is none. An invocation calls it when it
// runs, so that a bad request is reported as such even if there is no engine.
// An invocation keeps it while it runs. Must be thread-safe if several threads call
// the tool.
using EngineProvider = std::function<Result<std::shared_ptr<Engine>>()>;

}  // namespace forge::tool
