// What makes two indexes of one root different (FR-LSI-IDX-KEY-01).
//
// The parts stay apart, so that an error can name the one that differs; the
// hash is only a file name. Filters of a request (globs, case, word) are not
// part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "forge/version.h"
#include "index/bloom/tokenizer.h"
#include "index/segment/segment.h"
#include "tree/eligibility.h"

namespace forge::index {

inline constexpr int kSchemaVersion = 5;

// Normalization of the text that the grams come from.
enum class Normalization { kNone, kNfc };

struct IndexKey {
  std::string root;  // canonical
  Traversal traversal = {};
  // The specification has a backend here. What we store depends on none: we
  // decide ourselves which files count and what a line is, so one index serves all.
  std::string backend_id = "any";
  TokenStructure token_structure = TokenStructure::kPostings;
  std::string tokenizer_id;  // "trigram-fold-16k-v1"
  Casefold casefold = Casefold::kAscii;
  Normalization normalization = Normalization::kNone;  // kNfc for bloom
  int schema_version = kSchemaVersion;
  // Each version of this program builds its own index, so a mistake of one
  // version does not stay in the index of the next.
  std::string implementation = std::string(Version());

  friend bool operator==(const IndexKey&, const IndexKey&) = default;
};

// Lower-case hex SHA-256 of the parts as compact JSON with sorted names.
std::string HashOf(const IndexKey& key);

// That JSON. A byte of the root that is not UTF-8 is written as \udc80 to
// \udcff, so that two roots never have one text.
std::string ToJson(const IndexKey& key);

// "ASCII", "UNICODE_SIMPLE"; "NONE", "NFC".
std::string_view ToString(Casefold casefold);
std::string_view ToString(Normalization normalization);

// The reverse; nothing for any other word.
std::optional<Casefold> CasefoldNamed(std::string_view name);
std::optional<Normalization> NormalizationNamed(std::string_view name);

// The names of the parts that differ: "hidden, tokenizer_id"; "" if none does.
std::string Mismatch(const IndexKey& a, const IndexKey& b);

}  // namespace forge::index
