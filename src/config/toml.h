// TOML as a flat list of values, each with its place.
//
//   [tools.search]
//   max_files = 500      ->  { "tools.search", "max_files", 500, "500", 2, 13 }
//
// A list of tables gives one section each: [[llm.models]] is "llm.models[0]",
// then "llm.models[1]".
//
// Only toml.cc includes the TOML library. A flat list is enough: our
// configuration has no value deeper than a list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "forge/result.h"

namespace forge::config {

// monostate: a TOML value of a type that no key has (a date, a list of mixed
// types). An empty list counts as a list of strings; code that wants integers
// must accept it too.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>,
                           std::vector<std::int64_t>>;

struct Entry {
  std::string section;  // "tools.search"
  std::string name;     // "max_files"
  Value value;
  std::string shown;  // the value as TOML, shortened, for messages
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// The values in the order of the text. A syntax error is ExecutionFailed with
// "source:line:column: ...".
Result<std::vector<Entry>> ParseToml(std::string_view text, std::string_view source);

// One value, as written to the right of a '='. A text that is not valid TOML
// (a bare word such as rg) is taken as a string.
Entry ParseTomlValue(std::string_view text);

std::string TomlText(const Value& value);

}  // namespace forge::config
