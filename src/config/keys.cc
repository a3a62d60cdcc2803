#include "config/keys.h"

#include <algorithm>
#include <type_traits>

#include "base/ascii.h"
#include "base/names.h"
#include "config/key_rows.h"

namespace forge::config {
namespace {

std::vector<Key> AllRows() {
  std::vector<Key> all;
  for (const auto rows : {SearchRows(), IndexRows(), SandboxRows(), KeywordRows(), McpRows(), ServerRows()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

std::string NotAllowed(const Key& key, const Entry& entry, const std::string& place) {
  return key.FullName() + " is " + entry.shown + " (" + place + "), but must be " + Allowed(key);
}

std::string Shown(double number) { return TomlText(Value(number)); }

// "\"off\", \"auto\" or \"on\""
std::string OneOf(std::span<const std::string_view> choices) {
  std::string out;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) out += i + 1 == choices.size() ? " or " : ", ";
    out.append("\"").append(choices[i]).append("\"");
  }
  return out;
}

std::string IntegerRange(const Key& key) {
  const bool open = key.max == std::numeric_limits<std::int64_t>::max();
  return " of at least " + std::to_string(key.min) + (open ? "" : " and at most " + std::to_string(key.max));
}

template <typename T>
concept IsEnum = std::is_enum_v<T>;

Value AsValue(const std::optional<bool>& flag) { return flag ? Value(*flag) : Value(); }

Value AsValue(const std::chrono::milliseconds& time) { return std::int64_t{time.count()}; }

template <IsEnum T>
Value AsValue(const T& value) {
  return std::string(Name(value));
}

template <typename T>
Value AsValue(const T& member) {
  return member;
}

bool InRange(const Key& key, std::int64_t number) { return number >= key.min && number <= key.max; }

// Store: puts a TOML value into a member. False if the value is not allowed;
// then the member does not change.

bool Store(const Key&, const Value& value, bool& out) {
  const bool* flag = std::get_if<bool>(&value);
  if (flag == nullptr) return false;
  out = *flag;
  return true;
}

bool Store(const Key& key, const Value& value, std::optional<bool>& out) {
  bool flag = false;
  if (!Store(key, value, flag)) return false;
  out = flag;
  return true;
}

bool Store(const Key& key, const Value& value, std::int64_t& out) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || !InRange(key, *number)) return false;
  out = *number;
  return true;
}

bool Store(const Key& key, const Value& value, std::chrono::milliseconds& out) {
  std::int64_t number = 0;
  if (!Store(key, value, number)) return false;
  out = std::chrono::milliseconds(number);
  return true;
}

// 1 counts as 1.0. A NaN is in no range.
bool Store(const Key& key, const Value& value, double& out) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* number = std::get_if<double>(&value);
  if (whole == nullptr && number == nullptr) return false;
  const double given = number != nullptr ? *number : static_cast<double>(*whole);
  if (!(given >= key.min_fraction && given <= key.max_fraction)) return false;
  out = given;
  return true;
}

bool Store(const Key& key, const Value& value, std::string& out) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || (text->empty() && !key.may_be_empty)) return false;
  if (key.is_tool_prefix && !IsToolPrefix(*text)) return false;
  out = *text;
  return true;
}

template <IsEnum T>
bool Store(const Key&, const Value& value, T& out) {
  const auto* text = std::get_if<std::string>(&value);
  const auto named = text != nullptr ? FromName<T>(*text) : std::nullopt;
  if (!named) return false;
  out = *named;
  return true;
}

bool Store(const Key&, const Value& value, std::vector<std::string>& out) {
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list == nullptr || std::ranges::find(*list, "") != list->end()) return false;
  out = *list;
  return true;
}

bool Store(const Key& key, const Value& value, std::vector<std::int64_t>& out) {
  const auto* no_texts = std::get_if<std::vector<std::string>>(&value);
  const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
  if (list == nullptr && (no_texts == nullptr || !no_texts->empty())) return false;
  std::vector<std::int64_t> kept;
  for (const std::int64_t number : list != nullptr ? *list : kept) {
    if (!InRange(key, number)) return false;
    if (std::ranges::find(kept, number) == kept.end()) kept.push_back(number);  // G7
  }
  out = std::move(kept);
  return true;
}

// What the type of the member allows, in words.
struct Teller {
  template <IsEnum T>
  std::string operator()(const T*) const {
    return OneOf(NamesOf<T>());
  }
  std::string operator()(const bool*) const { return "true or false"; }
  std::string operator()(const std::optional<bool>*) const { return "true or false"; }
  std::string operator()(const std::int64_t*) const { return "an integer" + IntegerRange(key); }
  std::string operator()(const std::chrono::milliseconds*) const { return "an integer" + IntegerRange(key); }
  std::string operator()(const double*) const {
    return "a number of at least " + Shown(key.min_fraction) + " and at most " + Shown(key.max_fraction);
  }
  std::string operator()(const std::string*) const {
    if (key.is_tool_prefix) return "a string of " + std::string(kToolPrefixRule);
    return key.may_be_empty ? "a string" : "a string that is not empty";
  }
  std::string operator()(const std::vector<std::string>*) const { return "a list of strings, none of them empty"; }
  std::string operator()(const std::vector<std::int64_t>*) const {
    return "a list of integers, each" + IntegerRange(key);
  }
  const Key& key;
};

}  // namespace

std::string Key::FullName() const { return std::string(section) + "." + std::string(name); }

std::span<const Key> Keys() {
  static const std::vector<Key> keys = AllRows();
  return keys;
}

std::optional<std::size_t> FindKey(std::string_view section, std::string_view name) {
  const auto keys = Keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].section == section && keys[i].name == name) return i;
  }
  return std::nullopt;
}

bool IsToolPrefix(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  return text.size() <= kLongest && std::ranges::all_of(text, [](char c) {
           return IsAsciiLetter(static_cast<unsigned char>(c)) || (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

std::string Allowed(const Key& key) {
  Config config;
  return std::visit(Teller{key}, key.slot(config));
}

Value Get(const Key& key, const Config& config) {
  Config copy = config;
  return std::visit([](const auto* member) { return AsValue(*member); }, key.slot(copy));
}

Status Check(const Config& config) {
  Config scratch;
  for (const Key& key : Keys()) {
    const Value value = Get(key, config);
    if (std::holds_alternative<std::monostate>(value)) continue;
    Entry entry;
    entry.value = value;
    entry.shown = TomlText(value);
    if (Status s = Set(key, entry, "given", scratch); !s) return s;
  }
  if (config.search.fuzzy_fallback && config.search.fuzzy_fallback_levels.empty()) {
    return ExecutionFailed("tools.search.fuzzy_fallback_levels is [], but fuzzy_fallback is true");
  }
  return {};
}

Status Set(const Key& key, const Entry& entry, const std::string& place, Config& config) {
  const bool stored = std::visit([&](auto* member) { return Store(key, entry.value, *member); }, key.slot(config));
  if (!stored) return ExecutionFailed(NotAllowed(key, entry, place));
  return {};
}

}  // namespace forge::config
