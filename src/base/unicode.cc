#include "base/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/utf8.h"

namespace forge {
namespace {

bool IsWhiteSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::string Nfc(const std::string& text) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &mapped, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return text;  // out of memory only: the input is valid UTF-8
  return {reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size)};
}

}  // namespace

std::string SortKey(std::string_view raw) {
  const bool ascii = std::all_of(raw.begin(), raw.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? std::string(raw) : Nfc(LossyUtf8(raw));
}

bool IsBlank(std::string_view text) {
  while (!text.empty()) {
    const Decoded d = DecodeOne(text);
    if (!d.valid || !IsWhiteSpace(d.code)) return false;
    text.remove_prefix(d.size);
  }
  return true;
}

bool IsWordCharacter(char32_t c) {
  if (c == '_') return true;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO && category != UTF8PROC_CATEGORY_MN &&
         category != UTF8PROC_CATEGORY_MC && category != UTF8PROC_CATEGORY_ME;
}

std::string_view UnicodeVersion() { return utf8proc_unicode_version(); }

}  // namespace forge
