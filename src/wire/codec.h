// Typed values as bytes, and back (R10).
//
//   std::string bytes = wire::Encode(request);
//   std::optional<SearchRequest> same = wire::Decode<SearchRequest>(bytes);
//
// A struct is described once, by the list of its members (wire/types.h), and both
// directions use that list, so they cannot disagree. The bytes:
//
//   bool        1 byte, 0 or 1
//   unsigned    varint: seven bits a byte, lowest first, no needless last byte
//   signed      varint of the number in zigzag: 0, -1, 1, -2, ... are 0, 1, 2, 3
//   double      8 bytes, little-endian IEEE 754
//   enum        as unsigned; a value that the enum does not have is refused
//   text        varint length, bytes
//   time        as signed, in milliseconds
//   optional    bool, then the value if it is there
//   list        varint count, then the values
//   variant     varint index, then the value
//   struct      its members in order
//
// {.pattern = "ab", .context = 2} begins with 02 'a' 'b'; its context is 04.
//
// Decoding is total: every string of bytes gives a value or nothing. It never
// reads past the end. An element of a list takes at least one byte, so a count
// above the number of bytes left is refused before anything is allocated. All
// bytes must be used.
//
// The two ends are the same program file (remote/protocol.h), so there is no
// need for numbered fields that an older version could skip.
#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "forge/shared_text.h"

namespace forge::wire {

// Specialized for each struct that crosses: static auto Members(auto& value)
// returns a tuple of references.
template <typename T>
struct Described;

// Specialized for each enum that crosses: its last value. The values are 0, 1, 2
// and so on.
template <typename T>
inline constexpr T kLast = T::kNotDescribed;

template <typename T>
concept IsDescribed = requires(T& value) {
  Described<T>::Members(value);
};

class Writer {
 public:
  std::string Take() { return std::exchange(out_, {}); }
  std::size_t size() const { return out_.size(); }

  void Put(bool value) { out_.push_back(value ? '\1' : '\0'); }
  void Put(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) out_.push_back(static_cast<char>(bits >> shift));
  }
  void Put(const std::string& text) { PutText(text); }
  void Put(const SharedText& text) { PutText(text); }
  template <typename T>
  requires std::is_unsigned_v<T>
  void Put(T value) { PutVarint(value); }
  template <typename T>
  requires(std::is_integral_v<T>&& std::is_signed_v<T>) void Put(T value) {
    const auto wide = static_cast<std::int64_t>(value);
    PutVarint((static_cast<std::uint64_t>(wide) << 1) ^ static_cast<std::uint64_t>(wide >> 63));
  }
  template <typename T>
  requires std::is_enum_v<T>
  void Put(T value) { PutVarint(static_cast<std::uint64_t>(value)); }
  void Put(std::chrono::milliseconds value) { Put(std::int64_t{value.count()}); }
  void Put(std::chrono::sys_time<std::chrono::milliseconds> value) { Put(value.time_since_epoch()); }
  template <typename T>
  void Put(const std::optional<T>& value) {
    Put(value.has_value());
    if (value) Put(*value);
  }
  template <typename T>
  void Put(const std::unique_ptr<T>& value) {
    Put(value != nullptr);
    if (value) Put(*value);
  }
  template <typename T>
  void Put(const std::vector<T>& list) {
    PutVarint(list.size());
    for (const T& value : list) Put(value);
  }
  template <typename... T>
  void Put(const std::variant<T...>& value) {
    PutVarint(value.index());
    std::visit([this](const auto& held) { this->Put(held); }, value);
  }
  template <IsDescribed T>
  void Put(const T& value) {
    std::apply([this](const auto&... members) { (this->Put(members), ...); }, Described<T>::Members(value));
  }

 private:
  void PutVarint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
    out_.push_back(static_cast<char>(value));
  }
  void PutText(std::string_view text) {
    PutVarint(text.size());
    out_ += text;
  }

  std::string out_;
};

// After a failure every read fails, and values are what they were.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }

  void Get(bool& out) {
    const std::uint64_t value = Byte();
    if (value > 1) return Fail();
    out = value == 1;
  }
  void Get(double& out) {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 8) bits |= static_cast<std::uint64_t>(Byte()) << shift;
    if (ok_) out = std::bit_cast<double>(bits);
  }
  void Get(std::string& out) {
    if (const std::string_view text = GetText(); ok_) out = text;
  }
  void Get(SharedText& out) {
    if (const std::string_view text = GetText(); ok_) out = text;
  }
  template <typename T>
  requires std::is_unsigned_v<T>
  void Get(T& out) {
    const std::uint64_t value = Varint();
    if (value > std::numeric_limits<T>::max()) return Fail();
    out = static_cast<T>(value);
  }
  template <typename T>
  requires(std::is_integral_v<T>&& std::is_signed_v<T>) void Get(T& out) {
    const std::uint64_t zigzag = Varint();
    const auto value = static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return Fail();
    out = static_cast<T>(value);
  }
  template <typename T>
  requires std::is_enum_v<T>
  void Get(T& out) {
    const std::uint64_t value = Varint();
    if (value > static_cast<std::uint64_t>(kLast<T>)) return Fail();
    out = static_cast<T>(value);
  }
  void Get(std::chrono::milliseconds& out) {
    std::int64_t count = 0;
    Get(count);
    if (ok_) out = std::chrono::milliseconds(count);
  }
  void Get(std::chrono::sys_time<std::chrono::milliseconds>& out) {
    std::chrono::milliseconds since{};
    Get(since);
    if (ok_) out = std::chrono::sys_time<std::chrono::milliseconds>(since);
  }
  template <typename T>
  void Get(std::optional<T>& out) {
    bool present = false;
    Get(present);
    out.reset();
    if (ok_ && present) Get(out.emplace());
  }
  template <typename T>
  void Get(std::unique_ptr<T>& out) {
    bool present = false;
    Get(present);
    out.reset();
    if (ok_ && present) Get(*(out = std::make_unique<T>()));
  }
  template <typename T>
  void Get(std::vector<T>& out) {
    const std::uint64_t count = Varint();
    if (count > rest_.size()) return Fail();
    out.clear();
    for (std::uint64_t i = 0; i < count && ok_; ++i) Get(out.emplace_back());
  }
  template <typename... T>
  void Get(std::variant<T...>& out) {
    const std::uint64_t index = Varint();
    if (!ok_ || index >= sizeof...(T)) return Fail();
    GetHeld(out, index, std::index_sequence_for<T...>());
  }
  template <IsDescribed T>
  void Get(T& out) {
    std::apply([this](auto&... members) { (this->Get(members), ...); }, Described<T>::Members(out));
  }

 private:
  template <typename V, std::size_t... kIndex>
  void GetHeld(V& out, std::uint64_t index, std::index_sequence<kIndex...> /*all*/) {
    ((index == kIndex ? Get(out.template emplace<kIndex>()) : void()), ...);
  }

  std::string_view GetText() {
    const std::uint64_t size = Varint();
    if (size > rest_.size()) Fail();
    if (!ok_) return {};
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  void Fail() {
    ok_ = false;
    rest_ = {};
  }

  std::uint8_t Byte() {
    if (rest_.empty()) {
      Fail();
      return 0;
    }
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }

  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = Byte();
      const std::uint64_t bits = byte & 0x7F;
      // The tenth byte has room for one bit. A last byte of 0 would be a second
      // spelling of the same number.
      if (!ok_ || (shift == 63 && bits > 1) || (shift > 0 && byte == 0)) break;
      value |= bits << shift;
      if (byte < 0x80) return value;
    }
    Fail();
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

template <typename T>
std::string Encode(const T& value) {
  Writer writer;
  writer.Put(value);
  return writer.Take();
}

// Nothing if the bytes are not exactly one value.
template <typename T>
std::optional<T> Decode(std::string_view bytes) {
  std::optional<T> value(std::in_place);
  Reader reader(bytes);
  reader.Get(*value);
  if (!reader.done()) value.reset();
  return value;
}

}  // namespace forge::wire
