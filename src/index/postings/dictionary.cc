#include "index/postings/dictionary.h"

#include <algorithm>

#include "index/format/byte_io.h"
#include "index/format/damage.h"
#include "index/grams/trigram.h"

namespace forge::index {
namespace {

constexpr std::uint32_t kMostInline = 2;
constexpr std::uint32_t kManyTrigrams = 512;  // of one first byte

std::uint32_t CountGaps(std::string_view gaps) {
  return static_cast<std::uint32_t>(std::count_if(gaps.begin(), gaps.end(), [](char c) { return (c & 0x80) == 0; }));
}

// One or two documents, as gaps less one.
bool ReadInline(ByteReader& reader, std::uint32_t docs, Dictionary::Entry& entry) {
  std::uint64_t doc = 0;
  std::uint64_t gap = 0;
  if (!reader.Varint(docs, doc) || doc >= docs) return false;
  entry.place = static_cast<std::uint32_t>(doc);
  if (entry.df() == 1) return true;
  if (!reader.Varint(docs, gap) || doc + 1 + gap >= docs) return false;
  entry.place |= static_cast<std::uint32_t>(doc + 1 + gap) << 16U;
  return true;
}

bool ReadList(ByteReader& reader, std::uint64_t left, Dictionary::Entry& entry) {
  std::uint8_t coding = 0;
  std::uint64_t length = 0;
  if (!reader.Byte(coding) || coding >= kCodings || !reader.Varint(left, length) || length == 0) return false;
  entry.coding = static_cast<Coding>(coding);
  entry.length = static_cast<std::uint32_t>(length);
  return true;
}

}  // namespace

void DictionaryWriter::Add(std::uint32_t key, std::string_view gaps, std::string& postings) {
  const std::uint32_t df = CountGaps(gaps);
  PutVarint(bytes_, key - next_key_);
  PutVarint(bytes_, df);
  next_key_ = key + 1;
  ++keys_;
  if (df <= kMostInline) {
    bytes_ += gaps;
    return;
  }
  const std::size_t before = postings.size();
  const Coding coding = AppendList(postings, gaps, df, docs_);
  bytes_.push_back(static_cast<char>(coding));
  PutVarint(bytes_, postings.size() - before);
}

Result<Dictionary> Dictionary::Read(std::string_view bytes, std::uint32_t keys, std::uint32_t docs,
                                    std::uint64_t postings_size) {
  Dictionary out;
  out.keys_.reserve(keys);
  out.entries_.reserve(keys);
  ByteReader reader(bytes);
  std::uint64_t key = 0;
  std::uint64_t place = 0;
  for (std::uint32_t i = 0; i < keys; ++i, ++key) {
    std::uint64_t step = 0;
    std::uint64_t df = 0;
    if (!reader.Varint(kTrigrams, step) || key + step >= kTrigrams || !reader.Varint(docs, df) || df == 0) {
      return Damaged("the dictionary of a segment");
    }
    key += step;
    Entry entry{static_cast<std::uint32_t>(place), 0, static_cast<std::uint16_t>(df - 1), Coding::kVarint};
    const bool good =
        df <= kMostInline ? ReadInline(reader, docs, entry) : ReadList(reader, postings_size - place, entry);
    if (!good) return Damaged("the dictionary of a segment");
    place += entry.length;
    out.keys_.push_back(static_cast<std::uint32_t>(key));
    out.entries_.push_back(entry);
    ++out.starts_[(key >> 16U) + 1];
  }
  if (!reader.done() || place != postings_size) return Damaged("the dictionary of a segment");
  for (std::size_t i = 1; i < out.starts_.size(); ++i) out.starts_[i] += out.starts_[i - 1];
  out.ListSeconds();
  return out;
}

void Dictionary::ListSeconds() {
  for (std::size_t first = 0; first < tables_.size(); ++first) {
    const std::uint32_t begin = starts_[first];
    const std::uint32_t end = starts_[first + 1];
    if (end - begin < kManyTrigrams) continue;
    std::array<std::uint32_t, 257>& table = seconds_.emplace_back();
    for (std::uint32_t i = begin; i != end; ++i) ++table[(keys_[i] >> 8U & 0xFFU) + 1];
    table[0] = begin;
    for (std::size_t i = 1; i < table.size(); ++i) table[i] += table[i - 1];
    tables_[first] = static_cast<std::uint16_t>(seconds_.size());
  }
}

Dictionary::Range Dictionary::Near(std::uint8_t first, std::uint8_t second) const {
  if (tables_[first] == 0) return {starts_[first], starts_[first + 1U]};
  const std::array<std::uint32_t, 257>& table = seconds_[tables_[first] - 1U];
  return {table[second], table[second + 1U]};
}

Dictionary::Range Dictionary::Find(std::string_view gram) const {
  if (gram.find('\n') != std::string_view::npos) return {};
  const auto byte = [gram](std::size_t i) { return static_cast<std::uint8_t>(FoldByte(gram[i])); };
  const bool whole = gram.size() == 3;
  const std::uint32_t first = TrigramKey(byte(0), byte(1), whole ? byte(2) : 0);
  const std::uint32_t last = first | (whole ? 0U : 0xFFU);
  const Range near = Near(byte(0), byte(1));
  const auto begin = keys_.begin() + near.first;
  const auto end = keys_.begin() + near.end;
  const auto from = std::lower_bound(begin, end, first);
  const auto to = std::find_if(from, end, [last](std::uint32_t key) { return key > last; });
  return {static_cast<std::uint32_t>(from - keys_.begin()), static_cast<std::uint32_t>(to - keys_.begin())};
}

std::vector<Dictionary::Range> Dictionary::FindAll(const std::vector<std::string_view>& grams) const {
  const auto byte = [](std::string_view gram, std::size_t i) { return static_cast<std::uint8_t>(FoldByte(gram[i])); };
  for (const std::string_view gram : grams) {
    __builtin_prefetch(&tables_[byte(gram, 0)]);
    __builtin_prefetch(&starts_[byte(gram, 0)]);
  }
  for (const std::string_view gram : grams) {
    const std::uint16_t table = tables_[byte(gram, 0)];
    if (table != 0) __builtin_prefetch(&seconds_[table - 1U][byte(gram, 1)]);
  }
  for (const std::string_view gram : grams) {
    const Range near = Near(byte(gram, 0), byte(gram, 1));
    __builtin_prefetch(keys_.data() + near.first);
    __builtin_prefetch(keys_.data() + near.first + (near.end - near.first) / 2);  // where a search begins
  }
  std::vector<Range> out;
  out.reserve(grams.size());
  for (const std::string_view gram : grams) {
    out.push_back(Find(gram));
    __builtin_prefetch(entries_.data() + out.back().first);
  }
  return out;
}

std::size_t Dictionary::memory() const {
  return sizeof *this + seconds_.capacity() * sizeof(seconds_[0]) + keys_.capacity() * sizeof(std::uint32_t) +
         entries_.capacity() * sizeof(Entry);
}

}  // namespace forge::index
