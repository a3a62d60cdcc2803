// One call of Search, as a model made it.
//
// Beside what the specified request has, a model may ask for counts or files
// instead of lines, for a page of the answer (`offset`), for a kind of files
// (`type`). max_results counts matches here, or files: a model that asks for
// three gets three, however much context it asks for. `request` is what the
// library is asked; limits that need its configuration are added later (find.h).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "forge/result.h"
#include "forge/search.h"
#include "tool/schema.h"

namespace forge::agent {

enum class Output {
  kContent,  // matching lines
  kFiles,    // the paths of files with a match
  kCount,    // and how many matches each has
};

struct Call {
  SearchRequest request;
  Output output = Output::kContent;
  std::optional<std::int64_t> max_results = {};  // matches, or files
  std::int64_t offset = 0;                       // so many of them are left out at the beginning
  bool columns = false;
  bool names_only = false;              // no pattern: which files there are
  std::vector<std::string> paths = {};  // if there are several
};

// The tool as a model sees it: name, description, fields.
const tool::Definition& CallDefinition();

// Both give BadArgs in words for the model.
//
// The arguments by the names of our fields, also those that are not offered.
Result<tool::Arguments> ReadFields(nlohmann::json&& arguments);
Result<Call> ToCall(tool::Arguments arguments);

// For a pattern that asks for more than one line.
Error SeveralLines();

}  // namespace forge::agent
