#include "index/bloom/tokenizer.h"

#include "base/unicode.h"
#include "base/utf8.h"

namespace forge::index {
namespace {

bool HasWideMark(std::string_view bytes) {
  using namespace std::string_view_literals;
  for (const std::string_view mark : {"\xFF\xFE"sv, "\xFE\xFF"sv, "\0\0\xFE\xFF"sv}) {
    if (bytes.starts_with(mark)) return true;
  }
  return false;
}

std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

std::size_t CountReplacements(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBF\xBD";
  std::size_t count = 0;
  for (std::size_t i = text.find(kMark); i != text.npos; i = text.find(kMark, i + kMark.size())) ++count;
  return count;
}

// More than half of the characters are U+FFFD, from the file or from decoding
// (FR-LSI-TOK-01).
bool LooksBinary(std::string_view decoded) { return CountReplacements(decoded) * 2 > CountCharacters(decoded); }

std::string WithoutCrlf(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out.push_back(text[i]);
  }
  return out;
}

}  // namespace

TokenText TextOf(std::string_view bytes, std::size_t ngram, std::uint64_t max_bytes) {
  if (bytes.size() > max_bytes) return {Incomplete::kTooLarge, {}};
  if (HasWideMark(bytes)) return {Incomplete::kBinary, {}};
  const std::string decoded = LossyUtf8(bytes);
  if (LooksBinary(decoded)) return {Incomplete::kBinary, {}};
  const std::string normalized = Nfc(decoded);
  TokenText result{Incomplete::kNo, WithoutCrlf(normalized)};
  if (normalized != decoded) {
    result.incomplete = Incomplete::kNotNormalized;
  } else if (CountCharacters(result.text) < ngram) {
    result.incomplete = Incomplete::kTooShort;
  }
  return result;
}

std::string Folded(std::string_view text, Casefold casefold) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded d = DecodeOne(text);
    if (d.code >= 'A' && d.code <= 'Z') {
      out.push_back(static_cast<char>(d.code + ('a' - 'A')));
    } else if (d.code < 0x80 || casefold == Casefold::kAscii) {
      out += text.substr(0, d.size);
    } else {
      AppendUtf8(SimpleFold(d.code), out);
    }
    text.remove_prefix(d.size);
  }
  return out;
}

bool HasUsableNgrams(std::string_view pattern, std::size_t ngram) {
  if (!IsValidUtf8(pattern) || pattern.find_first_of("\r\n") != pattern.npos) return false;
  return CountCharacters(pattern) >= ngram && Nfc(pattern) == pattern;
}

}  // namespace forge::index
