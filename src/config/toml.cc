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

void Flatten(const toml::table& table, const std::string& section, std::vector<Entry>& out) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (const toml::table* inner = node.as_table()) {
      Flatten(*inner, Inside(section, name), out);
      continue;
    }
    if (const toml::array* array = node.as_array(); array != nullptr && array->is_array_of_tables()) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        Flatten(*array->get_as<toml::table>(i), Inside(section, name) + "[" + std::to_string(i) + "]", out);
      }
      continue;
    }
    const toml::source_position place = node.source().begin;
    const auto* number = node.as_floating_point();
    out.push_back({section, name, ToValue(node), Shorten(number != nullptr ? Text(number->get()) : Text(node)),
                   place.line, place.column});
  }
}

bool ByPlace(const Entry& a, const Entry& b) { return std::tie(a.line, a.column) < std::tie(b.line, b.column); }

}  // namespace

Result<std::vector<Entry>> ParseToml(std::string_view text, std::string_view source) {
  try {
    std::vector<Entry> entries;
    Flatten(toml::parse(text, source), "", entries);
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
