#include "tool/parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"

namespace forge::tool {
namespace {

// std::map inside, so that an object of many keys is not quadratic.
using Json = nlohmann::json;

constexpr std::size_t kShownBytes = 60;

// Cuts the library's "[json.exception.parse_error.101] parse error at line 1,
// column 5: syntax error while parsing value - invalid literal; last read: 'x'"
// down to what helps. "last read" may be megabytes, and not UTF-8.
std::string Explain(std::string_view what) {
  if (const auto end = what.find("] "); what.starts_with('[') && end != std::string_view::npos) {
    what.remove_prefix(end + 2);
  }
  what = what.substr(0, what.find("; last read"));
  return LossyUtf8(what.substr(0, 200));
}

// Builds the tree, and stops at errors that the library does not report.
class Builder {  // NOLINT(bugprone-exception-escape): the library's destructor, which does not throw
 public:
  Json Take() { return std::move(root_); }
  const std::string& error() const { return error_; }

  bool null() { return Add(nullptr); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(std::int64_t value) { return Add(value); }
  bool number_unsigned(std::uint64_t value) { return Add(value); }
  bool number_float(double value, const std::string& /*text*/) { return Add(value); }
  bool string(std::string& value) { return Add(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return Fail("binary data"); }  // JSON text has none

  bool start_object(std::size_t /*size*/) { return Open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return Open(Json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool key(std::string& name) {
    if (open_.back()->contains(name))
      return Fail("the key " + Json(Short(name)).dump() + " occurs twice in one object");
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const Json::exception& error) {
    return Fail(Explain(error.what()));
  }

  static std::string Short(const std::string& text) {
    if (text.size() <= kShownBytes) return text;
    return text.substr(0, ValidUtf8Prefix(std::string_view(text).substr(0, kShownBytes))) + "...";
  }

 private:
  bool Fail(std::string message) {
    error_ = std::move(message);
    return false;
  }

  // Where the next value goes.
  Json* Place(Json&& value) {
    if (open_.empty()) return &(root_ = std::move(value));
    if (open_.back()->is_array()) return &open_.back()->emplace_back(std::move(value));
    return &((*open_.back())[key_] = std::move(value));
  }

  bool Add(Json&& value) {
    if (!Count()) return false;
    Place(std::move(value));
    return true;
  }

  bool Count() {
    return ++values_ <= kMaxJsonValues || Fail("more than " + std::to_string(kMaxJsonValues) + " values");
  }

  // Pointers to enclosing values stay valid: nothing is added to an outer value
  // while an inner one is open.
  bool Open(Json&& value) {
    if (open_.size() == kMaxJsonDepth) return Fail("nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
    if (!Count()) return false;
    open_.push_back(Place(std::move(value)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  std::size_t values_ = 0;
  std::string key_;
  std::string error_;
};

bool TooLarge(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
  return value.is_number_float() && std::abs(value.get<double>()) >= 0x1p63;
}

// The given value, for a message: 5 becomes `5`, "5" becomes `"5" (a string)`.
std::string Given(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "a list";
    case Json::value_t::string: return Json(Builder::Short(value.get_ref<const std::string&>())).dump() + " (a string)";
    default: return value.dump() + (TooLarge(value) ? " (beyond 64 bits)" : "");
  }
}

Error NotAllowed(const Field& field, const std::string& given) {
  return BadArgs(std::string(field.name) + ": is " + given + "; must be " + Allowed(field));
}

// 5, 5.0 and 1e3 are integers; 5.5, true and "5" are not.
std::optional<std::int64_t> IntegerIn(const Json& value) {
  if (!value.is_number() || TooLarge(value)) return std::nullopt;
  if (!value.is_number_float()) return value.get<std::int64_t>();
  const auto number = value.get<double>();
  if (number != std::trunc(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

Result<Value> CheckInteger(const Field& field, const Json& value) {
  const auto number = IntegerIn(value);
  if (!number || *number < field.min || *number > field.max) return NotAllowed(field, Given(value));
  return Value(*number);
}

Result<Value> CheckString(const Field& field, Json& value) {
  if (!value.is_string()) return NotAllowed(field, Given(value));
  auto& text = value.get_ref<std::string&>();
  if (field.min > 0 && text.empty()) return NotAllowed(field, "\"\"");
  const bool known =
      field.choices.empty() || std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end();
  if (!known) return NotAllowed(field, Json(Builder::Short(text)).dump());
  return Value(std::move(text));
}

Result<Value> CheckList(const Field& field, Json& value) {
  if (!value.is_array()) return NotAllowed(field, Given(value));
  std::vector<std::string> list;
  list.reserve(value.size());
  for (Json& item : value) {
    const bool good = item.is_string();
    if (!good) {
      return BadArgs(std::string(field.name) + "[" + std::to_string(list.size()) + "]: is " + Given(item) +
                     "; must be a string");
    }
    list.push_back(std::move(item.get_ref<std::string&>()));
  }
  return Value(std::move(list));
}

Result<Value> Check(const Field& field, Json& value) {
  switch (field.type) {
    case Type::kBoolean:
      if (value.is_boolean()) return Value(value.get<bool>());
      return NotAllowed(field, Given(value));
    case Type::kInteger: return CheckInteger(field, value);
    case Type::kString: return CheckString(field, value);
    case Type::kStringList: return CheckList(field, value);
  }
  return NotAllowed(field, Given(value));
}

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

// Reads a text where the field wants another type; nothing if the text has no
// value that the field could take.
std::optional<Json> Reread(Type type, const std::string& text) {
  switch (type) {
    case Type::kInteger: return Integer(text);
    case Type::kBoolean: return Boolean(text);
    case Type::kStringList: return text.empty() ? std::nullopt : std::optional(List(text));
    case Type::kString: return std::nullopt;
  }
  return std::nullopt;
}

void Rewrite(const Field& field, Json& value) {
  if (!value.is_string()) return;
  if (auto meant = Reread(field.type, value.get_ref<const std::string&>())) value = *std::move(meant);
}

const Field* FindField(const std::vector<Field>& fields, std::string_view name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

Error UnknownField(const std::vector<Field>& fields, const std::string& name, bool lenient) {
  std::vector<std::string_view> known;
  std::string list;
  for (const Field& field : fields) {
    known.push_back(field.name);
    list += (list.empty() ? "" : ", ") + std::string(field.name);
  }
  const std::string_view near = NearestWord(Builder::Short(name), known);
  const std::string advice = !near.empty() ? "; did you mean \"" + std::string(near) + "\"?"
                             : lenient     ? "; there is nothing like it, so leave it out"
                                           : "; the fields are " + list;
  return BadArgs("unknown field " + Json(Builder::Short(name)).dump() + advice);
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  if (text.size() > kMaxJsonBytes) {
    return BadArgs("the request is larger than " + std::to_string(kMaxJsonBytes >> 20) + " MiB");
  }
  Builder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder))
    return BadArgs("the request is not valid JSON: " + builder.error());
  return builder.Take();
}

Result<Arguments> ReadArguments(const std::vector<Field>& fields, Json&& json, Leniency leniency) {
  if (!json.is_object()) return BadArgs("the request is " + Given(json) + "; must be a JSON object");
  const bool lenient = leniency == Leniency::kLenient;
  Arguments arguments;
  for (auto& [name, value] : json.items()) {
    const Field* field = FindField(fields, name);
    if (field == nullptr) return UnknownField(fields, name, lenient);
    if (lenient && value.is_null()) continue;
    if (lenient) Rewrite(*field, value);
    auto checked = Check(*field, value);
    if (!checked) return checked.error();
    arguments.Put(name, std::move(*checked));
  }
  for (const Field& field : fields) {
    if (field.required && !arguments.Has(field.name)) {
      return BadArgs(std::string(field.name) + ": is missing; must be " + Allowed(field));
    }
  }
  return arguments;
}

Result<Arguments> ParseArguments(const std::vector<Field>& fields, std::string_view text, Leniency leniency) {
  auto parsed = ParseJson(text);
  if (!parsed) return parsed.error();
  return ReadArguments(fields, *std::move(parsed), leniency);
}

}  // namespace forge::tool
