#include "base/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/utf8.h"

namespace forge {
namespace {

bool IsWhiteSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::string SortKey(std::string_view raw) { return IsAscii(raw) ? std::string(raw) : Nfc(LossyUtf8(raw)); }

std::string Nfc(std::string_view text) {
  if (IsAscii(text)) return std::string(text);
  utf8proc_uint8_t* mapped = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &mapped, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) throw std::bad_alloc();  // the only error there is: the input is valid UTF-8
  return {reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size)};
}

char32_t SimpleFold(char32_t c) {
  if (c == 0x130) return c;  // it has a lower case, but only foldings of the types F and T
  utf8proc_int32_t folded[8];
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), folded, 8, UTF8PROC_CASEFOLD, nullptr);
  if (count == 1) return static_cast<char32_t>(folded[0]);
  // A folding of type F. Where there is also one of type S, it is the lower case
  // (U+1E9E and Greek with iota); where there is none, the character is lower case itself.
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
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

std::size_t CellWidth(char32_t c) {
  const int width = utf8proc_charwidth(static_cast<utf8proc_int32_t>(c));
  return width > 0 ? static_cast<std::size_t>(width) : 0;
}

std::string_view UnicodeVersion() { return utf8proc_unicode_version(); }

}  // namespace forge
