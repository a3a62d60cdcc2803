// The command line: a thin shell around forge::Engine and the tools.
//
//   search  for people: prints matches as they come
//   live    for people: results as you type
//   ask     for people: which files matter for a question
//   call    for programs: JSON in, one JSON document out
//   mcp     for agents: a server that speaks the Model Context Protocol
//   serve   for all of these: one process that keeps indexes warm
//   schema, config, doctor, setup, completions, help
//
// Exit status: 0 found (or done), 1 nothing found, 2 an error, 130 interrupted
// (which main() makes 143 if it was by SIGTERM).
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "forge/cancel.h"
#include "forge/engine.h"
#include "remote/engine_maker.h"

namespace forge::cli {

using EngineFactory = std::function<Result<std::unique_ptr<Engine>>(EngineOptions)>;

// The descriptors behind Host's streams.
struct Descriptors {
  int in = -1;
  int out = -1;
};

// The world outside, passed in so that a test can replace it.
struct Host {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool in_has_text = false;  // standard input is a pipe or a file
  Environment environment;
  EngineFactory create_engine;  // remote::CreateEngine
  CancelSource stop;            // an interrupt cancels it
  std::optional<Descriptors> descriptors = {};
  std::string program = {};              // the path of this program; "": not known
  remote::EngineMaker make_engine = {};  // for `serve`: CreateEngineIn
};

inline constexpr int kExitFound = 0;
inline constexpr int kExitNotFound = 1;
inline constexpr int kExitError = 2;
inline constexpr int kExitInterrupted = 130;

// `arguments` without the name of the program.
int RunCli(const std::vector<std::string>& arguments, Host& host);

}  // namespace forge::cli
