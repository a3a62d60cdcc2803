// What a tool is called, what it is for, and which arguments it takes.
//
// One table of fields checks a request, prints the JSON schema, and is what a
// model reads. So the three always agree.
//
// Checking is strict (FR-LS-02a, FR-LS-02b): an unknown field, null, "5" or
// true for a number, a number out of range are all BadArgs. 5.0 and 1e3 are
// integers, as in JSON Schema. parse.h says what a lenient reader also accepts.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "forge/result.h"

namespace forge::tool {

using Value = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

enum class Type { kBoolean, kInteger, kString, kStringList };

struct Field {
  std::string_view name;
  Type type = Type::kString;
  std::string description;
  bool required = false;
  std::int64_t min = 0;  // of an integer; of the length of a string
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::vector<std::string_view> choices = {};  // of a string; empty: any
  std::optional<Value> default_value = {};     // the specification's; a configuration may say otherwise
};

struct Definition {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view title;
  std::string_view description;
  std::vector<Field> fields;
  bool uses_network = false;
  std::string_view output_schema = "";  // JSON schema of the answer, as text
};

// "an integer from 1 to 4": the words of messages and documentation.
std::string Allowed(const Field& field);

// Checked arguments by name: only those that were given.
class Arguments {
 public:
  friend bool operator==(const Arguments&, const Arguments&) = default;

  bool Has(std::string_view name) const { return values_.find(name) != values_.end(); }
  void Put(std::string name, Value value) { values_.insert_or_assign(std::move(name), std::move(value)); }

  // Moves the argument into `out`, a T or an optional<T>, if it was given.
  template <typename T>
  void Take(std::string_view name, T& out) {
    TakeAs<T>(name, out);
  }
  template <typename T>
  void Take(std::string_view name, std::optional<T>& out) {
    TakeAs<T>(name, out);
  }

 private:
  template <typename T, typename Out>
  void TakeAs(std::string_view name, Out& out) {
    if (const auto found = values_.find(name); found != values_.end()) out = std::move(std::get<T>(found->second));
  }

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace forge::tool
