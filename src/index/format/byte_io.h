// Numbers as bytes, for what is stored: little-endian words and varints (seven
// bits a byte, lowest first).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace forge::index {

static_assert(std::endian::native == std::endian::little, "stored words are little-endian and loaded as they are");

template <typename T>
T LoadWord(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void StoreWord(char* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <typename T>
void PutWord(std::string& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  StoreWord(out.data() + at, value);
}

inline void PutVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Reads forward and never past the end. After a failure every read fails.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool Byte(std::uint8_t& value) {
    if (at_ == end_) return false;
    value = static_cast<std::uint8_t>(*at_++);
    return true;
  }

  // False at the end of the bytes and above `max`.
  bool Varint(std::uint64_t max, std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 63 && at_ != end_; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*at_++);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value <= max || Fail();
    }
    return Fail();
  }

  bool done() const { return at_ == end_; }

 private:
  bool Fail() {
    at_ = end_;
    return false;
  }

  const char* at_;
  const char* end_;
};

}  // namespace forge::index
