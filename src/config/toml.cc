#include "config/toml.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <sstream>
#include <tuple>

#include "base/utf8.h"

namespace forge::config {
namespace {

constexpr std::size_t kShownBytes = 60;

// On one line, strings always in double quotes.
std::string Text(const toml::node& node) {
  std::ostringstream out;
  out << toml::toml_formatter(node, toml::format_flags::allow_unicode_strings);
  return out.str();
}

// The shortest text that reads back as this number; the library would write 0.1
// as 0.10000000000000001.
std::string Text(double number) {
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), number).ptr;
  std::string text(std::begin(buffer), end);
  if (text.find_first_of(".ein") == std::string::npos) text += ".0";
  return text;
}

std::string Shorten(std::string text) {
  if (text.size() <= kShownBytes) return text;
  text.resize(ValidUtf8Prefix(std::string_view(text).substr(0, kShownBytes)));
  return text + "...";
}

// Nothing if an item is of another type.
template <typename T>
std::optional<std::vector<T>> ListOf(const toml::array& array) {
  std::vector<T> list;
  for (const toml::node& item : array) {
    const auto* value = item.as<T>();
    if (value == nullptr) return std::nullopt;
    list.push_back(value->get());
  }
  return list;
}

Value ListValue(const toml::array& array) {
  if (auto texts = ListOf<std::string>(array)) return *std::move(texts);
  if (auto numbers = ListOf<std::int64_t>(array)) return *std::move(numbers);
  return std::monostate();
}

Value ToValue(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* array = node.as_array()) return ListValue(*array);
  return std::monostate();
}

struct Writer {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return Text(number); }
  std::string operator()(const std::string& text) const { return Text(toml::value<std::string>(text)); }
  std::string operator()(const std::vector<std::string>& list) const { return List(list); }
  std::string operator()(const std::vector<std::int64_t>& list) const { return List(list); }
  template <typename T>
  std::string List(const std::vector<T>& list) const {
    std::string out = "[";
    for (const T& item : list) out += (out.size() > 1 ? ", " : "") + (*this)(item);
    return out + "]";
  }
};

std::string Inside(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

// Each part of a key is a table in a table, and the library walks tables by
// recursion: a key of 100,000 parts would end the process. It bounds lists and
// inline tables by itself, at 256.
constexpr std::size_t kMaxKeyParts = 16;
constexpr int kMaxDepth = 32;

bool IsBareKeyByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// The length of the bare or quoted part of a key that starts at `at`; 0 if none
// does.
std::size_t PartSize(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (text[at] == '"' || text[at] == '\'') {
    while (++end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 1U : 0U;
    return (end < text.size() && text[end] != '\n' ? end + 1 : std::min(end, text.size())) - at;
  }
  while (end < text.size() && IsBareKeyByte(text[end])) ++end;
  return end - at;
}

// The line of the first text that may be a key of more than kMaxKeyParts parts;
// 0 if there is none. Looks at comments and values too, which hardly ever have so
// many words with nothing but dots between them.
std::uint32_t LineOfLongKey(std::string_view text) {
  const auto skip_blanks = [&](std::size_t at) { return std::min(text.find_first_not_of(" \t", at), text.size()); };
  std::uint32_t line = 1;
  std::size_t parts = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = PartSize(text, at);
    if (size == 0) {
      line += text[at++] == '\n' ? 1U : 0U;
      parts = 0;
      continue;
    }
    if (++parts > kMaxKeyParts) return line;
    const std::size_t next = skip_blanks(at + size);
    const bool goes_on = next < text.size() && text[next] == '.';
    at = goes_on ? skip_blanks(next + 1) : at + size;
    if (!goes_on) parts = 0;
  }
  return 0;
}

// False if it is nested too deeply.
bool Flatten(const toml::table& table, const std::string& section, int depth, std::vector<Entry>& out) {
  if (depth > kMaxDepth) return false;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (const toml::table* inner = node.as_table()) {
      if (!Flatten(*inner, Inside(section, name), depth + 1, out)) return false;
      continue;
    }
    if (const toml::array* array = node.as_array(); array != nullptr && array->is_array_of_tables()) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        const std::string inside = Inside(section, name) + "[" + std::to_string(i) + "]";
        if (!Flatten(*array->get_as<toml::table>(i), inside, depth + 1, out)) return false;
      }
      continue;
    }
    const toml::source_position place = node.source().begin;
    const auto* number = node.as_floating_point();
    out.push_back({section, name, ToValue(node), Shorten(number != nullptr ? Text(number->get()) : Text(node)),
                   place.line, place.column});
  }
  return true;
}

bool ByPlace(const Entry& a, const Entry& b) { return std::tie(a.line, a.column) < std::tie(b.line, b.column); }

}  // namespace

Result<std::vector<Entry>> ParseToml(std::string_view text, std::string_view source) {
  if (const std::uint32_t line = LineOfLongKey(text); line != 0) {
    return ExecutionFailed(std::string(source) + ":" + std::to_string(line) + ": a key has more than " +
                           std::to_string(kMaxKeyParts) + " parts");
  }
  try {
    std::vector<Entry> entries;
    if (!Flatten(toml::parse(text, source), "", 0, entries)) {
      return ExecutionFailed(std::string(source) + ": tables are nested more than " + std::to_string(kMaxDepth) +
                             " deep");
    }
    std::stable_sort(entries.begin(), entries.end(), ByPlace);  // the library sorts by name
    return entries;
  } catch (const toml::parse_error& error) {
    const toml::source_position place = error.source().begin;
    return ExecutionFailed(std::string(source) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
                           ": not valid TOML: " + LossyUtf8(error.description()));
  }
}

Entry ParseTomlValue(std::string_view text) {
  auto parsed = ParseToml("value = " + std::string(text), "");
  // A line feed in `text` could add keys; then it is not one value.
  if (parsed && parsed->size() == 1 && parsed->front().section.empty()) return std::move(parsed->front());
  Entry entry;
  entry.value = std::string(text);
  entry.shown = Shorten(TomlText(entry.value));
  return entry;
}

std::string TomlText(const Value& value) { return std::visit(Writer(), value); }

}  // namespace forge::config
