#include "index/snapshot/key.h"

#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "base/utf8.h"

namespace forge::index {
namespace {

struct Part {
  std::string_view name;
  std::string json;
};

std::string UnicodeEscape(unsigned code) {
  std::string out = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[code >> shift & 0xF]);
  return out;
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Decoded d = DecodeOne(text);
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t size = d.valid ? d.size : 1;  // each byte of a broken sequence by itself
    if (!d.valid) {
      out += UnicodeEscape(0xDC00U + byte);
    } else if (byte < 0x20) {
      out += UnicodeEscape(byte);
    } else {
      if (byte == '"' || byte == '\\') out.push_back('\\');
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out + "\"";
}

std::string Bool(bool value) { return value ? "true" : "false"; }

// Sorted by name.
std::vector<Part> PartsOf(const IndexKey& key) {
  return {
      {"backend_id", Quoted(key.backend_id)},
      {"casefold", Quoted(ToString(key.casefold))},
      {"follow", Bool(key.traversal.follow)},
      {"hidden", Bool(key.traversal.hidden)},
      {"implementation", Quoted(key.implementation)},
      {"no_ignore", Bool(key.traversal.no_ignore)},
      {"normalization", Quoted(ToString(key.normalization))},
      {"root", Quoted(key.root)},
      {"schema_version", std::to_string(key.schema_version)},
      {"token_structure", Quoted(Name(key.token_structure))},
      {"tokenizer_id", Quoted(key.tokenizer_id)},
  };
}

// The first two values of an enumeration, by their names.
template <typename Enum>
std::optional<Enum> Named(std::string_view name) {
  for (const int value : {0, 1}) {
    if (ToString(static_cast<Enum>(value)) == name) return static_cast<Enum>(value);
  }
  return std::nullopt;
}

}  // namespace

std::string_view ToString(Casefold casefold) { return casefold == Casefold::kAscii ? "ASCII" : "UNICODE_SIMPLE"; }
std::string_view ToString(Normalization normalization) { return normalization == Normalization::kNfc ? "NFC" : "NONE"; }

std::optional<Casefold> CasefoldNamed(std::string_view name) { return Named<Casefold>(name); }
std::optional<Normalization> NormalizationNamed(std::string_view name) { return Named<Normalization>(name); }

std::string ToJson(const IndexKey& key) {
  std::string out;
  for (const Part& part : PartsOf(key)) {
    out += out.empty() ? "{\"" : ",\"";
    out.append(part.name).append("\":").append(part.json);
  }
  return out + "}";
}

std::string HashOf(const IndexKey& key) { return Sha256Hex(ToJson(key)); }

std::string Mismatch(const IndexKey& a, const IndexKey& b) {
  const std::vector<Part> left = PartsOf(a);
  const std::vector<Part> right = PartsOf(b);
  std::string names;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].json == right[i].json) continue;
    if (!names.empty()) names += ", ";
    names += left[i].name;
  }
  return names;
}

}  // namespace forge::index
