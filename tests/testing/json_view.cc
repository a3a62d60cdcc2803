#include "tests/testing/json_view.h"

#include <nlohmann/json.hpp>

namespace forge::testing {

using Value = nlohmann::ordered_json;

struct JsonView::Document {
  Value value;
  const Value* Find(const std::string& pointer) const {
    const Value::json_pointer at(pointer);
    return !value.is_discarded() && value.contains(at) ? &value.at(at) : nullptr;
  }
};

JsonView::JsonView(std::string_view text)
    : document_(new Document{Value::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false)}) {}
JsonView::~JsonView() = default;
JsonView::JsonView(JsonView&&) noexcept = default;
JsonView& JsonView::operator=(JsonView&&) noexcept = default;

bool JsonView::valid() const { return !document_->value.is_discarded(); }

std::string JsonView::At(const std::string& pointer) const {
  const Value* found = document_->Find(pointer);
  return found == nullptr ? "" : found->dump();
}

std::string JsonView::Text(const std::string& pointer) const {
  const Value* found = document_->Find(pointer);
  return found == nullptr || !found->is_string() ? "" : found->get<std::string>();
}

std::size_t JsonView::Size(const std::string& pointer) const {
  const Value* found = document_->Find(pointer);
  return found == nullptr ? 0 : found->size();
}

std::vector<std::string> JsonView::Keys(const std::string& pointer) const {
  std::vector<std::string> keys;
  if (const Value* found = document_->Find(pointer); found != nullptr && found->is_object()) {
    for (const auto& item : found->items()) keys.push_back(item.key());
  }
  return keys;
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace forge::testing
