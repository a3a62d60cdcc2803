#include "tool/schema.h"

namespace forge::tool {
namespace {

std::string AllowedInteger(const Field& field) {
  if (field.max == std::numeric_limits<std::int64_t>::max()) {
    return "an integer of at least " + std::to_string(field.min);
  }
  return "an integer from " + std::to_string(field.min) + " to " + std::to_string(field.max);
}

std::string AllowedString(const Field& field) {
  if (field.choices.empty()) return field.min > 0 ? "a string that is not empty" : "a string";
  std::string out = "one of ";
  for (std::size_t i = 0; i < field.choices.size(); ++i) {
    out.append(i > 0 ? ", \"" : "\"").append(field.choices[i]).append("\"");
  }
  return out;
}

}  // namespace

std::string Allowed(const Field& field) {
  switch (field.type) {
    case Type::kBoolean: return "true or false";
    case Type::kInteger: return AllowedInteger(field);
    case Type::kString: return AllowedString(field);
    case Type::kStringList: return "a list of strings";
  }
  return "";
}

}  // namespace forge::tool
