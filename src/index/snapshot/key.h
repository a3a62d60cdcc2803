// What makes two indexes of one root different (FR-LSI-IDX-KEY-01).
//
// Parts are kept apart, so that a mismatch can be named; the hash is only a
// file name. Filters of a request (globs, case, word) are not part of it.
#pragma once

#include <cstdint>
#include <string>

namespace forge::index {

inline constexpr int kSchemaVersion = 1;

struct IndexKey {
  std::string root;  // canonical
  bool hidden = false;
  bool follow = false;
  bool no_ignore = false;
  std::string backend_id;       // "native", "ugrep@3.11.2"
  std::string token_structure;  // "postings", "bloom"
  std::string tokenizer_id;     // "trigram-fold-16k-v1"
  std::string casefold = "ASCII";
  std::string normalization = "NONE";  // "NFC" for bloom
  int schema_version = kSchemaVersion;

  friend bool operator==(const IndexKey&, const IndexKey&) = default;
};

// Lower-case hex SHA-256 of the parts as compact JSON with sorted names.
std::string HashOf(const IndexKey& key);

// That JSON. A byte of the root that is not UTF-8 is written as \udc80 to
// \udcff, so that two roots never have one text.
std::string ToJson(const IndexKey& key);

// The names of the parts that differ: "hidden, tokenizer_id"; "" if none does.
std::string Mismatch(const IndexKey& a, const IndexKey& b);

}  // namespace forge::index
