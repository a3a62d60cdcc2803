// Every configuration key, in one table.
//
// A row (search_keys.cc, index_keys.cc) says where a key is written, where its
// value lives, what is allowed and what it is for. The loader, `config print`,
// `config init` and the reference documentation all read this table. So adding
// a key means adding a row and the struct member that it points to. The type of
// a key is the type of that member, and its default is the member's
// initializer. A member of an enum type takes the names of that enum
// (base/names.h); a time takes a whole number of milliseconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/toml.h"
#include "forge/config.h"
#include "forge/result.h"

namespace forge::config {

using Slot = std::variant<bool*, std::optional<bool>*, std::int64_t*, std::chrono::milliseconds*, double*, std::string*,
                          std::vector<std::string>*, std::vector<std::int64_t>*, IndexMode*, IndexStorage*,
                          TokenStructure*, IntegrityCheck*, ServerMode*, Provider*>;

struct Key {
  std::string_view section;
  std::string_view name;
  Slot (*slot)(Config&);
  std::string_view doc;               // one sentence
  std::string_view example;           // a TOML value
  std::string_view recommended = "";  // what `config init` writes; "": leaves the default
  std::int64_t min = 1;               // of an integer, also in a list
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  double min_fraction = 0;  // of a number that need not be whole
  double max_fraction = 1;
  bool may_be_empty = false;    // a string
  bool is_tool_prefix = false;  // a string
  bool limits_answers = false;  // protects a model's context; Profile::kPeople has no such limit

  std::string FullName() const;  // "tools.search.max_files"
};

// Grouped by section.
std::span<const Key> Keys();

// The index in Keys(), if there is such a key.
std::optional<std::size_t> FindKey(std::string_view section, std::string_view name);

std::string Allowed(const Key& key);  // "an integer of at least 1"

// The keys of one table of [[llm.models]]. They point to the last model of a
// Config.
inline constexpr std::string_view kModelsSection = "llm.models";
std::span<const Key> ModelKeys();

// Checks the values of a Config that was not loaded here: each as its row says, and
// the rules between keys. The error names the key.
Status Check(const Config& config);

// Whether the names of tools may begin so. Hosts refuse other characters than letters,
// digits, _ and -, and some of them names of more than 64.
bool IsToolPrefix(std::string_view text);
inline constexpr std::string_view kToolPrefixRule = "letters, digits, _ and -, at most 32";

// The current value; monostate for an optional that is not set.
Value Get(const Key& key, const Config& config);

// Stores the value if it has the right type and range. Drops repeated values
// from a list of integers. An error names the key, the value, the place and
// what is allowed.
Status Set(const Key& key, const Entry& entry, const std::string& place, Config& config);

}  // namespace forge::config
