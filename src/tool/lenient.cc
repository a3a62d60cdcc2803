#include "tool/lenient.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "tool/parse.h"

namespace forge::tool {
namespace {

using Json = nlohmann::json;

std::optional<Json> Integer(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return Json(number);
}

std::optional<Json> Boolean(const std::string& text) {
  if (text == "true") return Json(true);
  if (text == "false") return Json(false);
  return std::nullopt;
}

// A JSON list as text, or the only item of a list.
Json List(const std::string& text) {
  if (text.starts_with('[')) {
    if (auto parsed = ParseJson(text); parsed && parsed->is_array()) return *std::move(parsed);
  }
  return Json::array({text});
}

std::optional<Json> Read(Type type, const std::string& text) {
  switch (type) {
    case Type::kInteger: return Integer(text);
    case Type::kBoolean: return Boolean(text);
    case Type::kStringList: return text.empty() ? std::nullopt : std::optional(List(text));
    case Type::kString: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

void RewriteLenient(const std::vector<Field>& fields, Json& arguments) {
  for (const Field& field : fields) {
    const auto found = arguments.find(field.name);
    if (found == arguments.end()) continue;
    if (found->is_null()) {
      arguments.erase(found);
    } else if (found->is_string()) {
      if (auto value = Read(field.type, found->get_ref<const std::string&>())) *found = *std::move(value);
    }
  }
}

}  // namespace forge::tool
