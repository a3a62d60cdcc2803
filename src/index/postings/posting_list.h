// The documents of one trigram, as bytes.
//
// A list has strictly increasing numbers below the number of documents. There
// are three codings; each list gets the smallest:
//
//   varint      gaps less one, seven bits a byte     rare trigrams
//   Elias-Fano  low bits packed, high bits unary     most of the bytes
//   bitmap      a bit a document                     common ones
//
// In a prototype without folding, on Linux sources in blocks of 16 KiB, all
// varint was 14.9 % of the text, all Elias-Fano 11.3 %, the smallest of the
// three 10.5 %. Rejected: bit packing by 128 (13.0 %), roaring (17.5 %: most
// lists are short). How fast lists decode hardly matters: a query reads few, and
// reading its candidates takes longer.
//
// Decoders trust no byte: they stay in bounds, add only documents that exist, and
// return false unless there were exactly as many as promised.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/segment/doc_set.h"

namespace forge::index {

enum class Coding : std::uint8_t { kVarint, kEliasFano, kBitmap };
inline constexpr std::uint8_t kCodings = 3;

// Decoders read whole words, so this many bytes after a list must be readable.
inline constexpr std::size_t kListSlack = 8;

// Takes the list as varint gaps and appends it in its smallest coding. `df` is
// its length, at least 1; `docs` the number of documents.
Coding AppendList(std::string& out, std::string_view gaps, std::uint32_t df, std::uint32_t docs);

// Adds the documents of a list to `set`, whose size is the number of documents.
// False if the bytes are not such a list; then it may have added some.
bool DecodeList(Coding coding, std::string_view bytes, std::uint32_t df, DocSet& set);

// Removes from `set` what is not in the list; sets `taken` if that was anything. If
// the set has few documents, this reads little of a long list. False if the part that
// it read is not a list; so a document number that is too high may go unnoticed.
bool KeepListed(Coding coding, std::string_view bytes, std::uint32_t df, DocSet& set, bool& taken);

}  // namespace forge::index
