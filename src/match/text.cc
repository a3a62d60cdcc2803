#include "match/text.h"

#include <cstdint>

#include "base/utf8.h"

namespace forge {
namespace {

using std::string_view_literals::operator""sv;

std::uint32_t Unit(std::string_view raw, std::size_t at, std::size_t size, bool little) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t k = little ? size - 1 - i : i;
    value = (value << 8) | static_cast<std::uint8_t>(raw[at + k]);
  }
  return value;
}

bool IsHighSurrogate(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLowSurrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Looks at the clock after each so many bytes: less than a millisecond.
class Timer {
 public:
  explicit Timer(const Deadline& deadline) : deadline_(deadline) {}

  bool OutOfTime(std::size_t at) {
    if (at < next_look_) return false;
    next_look_ = at + kBlock;
    return deadline_.over();
  }

 private:
  static constexpr std::size_t kBlock = 128 * 1024;
  const Deadline& deadline_;
  std::size_t next_look_ = kBlock;
};

void FromUtf16(std::string_view raw, bool little, const Deadline& deadline, std::string& out) {
  std::size_t at = 0;
  Timer timer(deadline);
  while (at + 2 <= raw.size() && !timer.OutOfTime(at)) {
    std::uint32_t code = Unit(raw, at, 2, little);
    at += 2;
    if (IsHighSurrogate(code) && at + 2 <= raw.size()) {
      const std::uint32_t low = Unit(raw, at, 2, little);
      if (IsLowSurrogate(low)) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    AppendUtf8(code, out);  // a lone surrogate becomes U+FFFD
  }
  if (at < raw.size()) AppendUtf8(kReplacement, out);
}

void FromUtf32(std::string_view raw, bool little, const Deadline& deadline, std::string& out) {
  std::size_t at = 0;
  Timer timer(deadline);
  for (; at + 4 <= raw.size() && !timer.OutOfTime(at); at += 4) AppendUtf8(Unit(raw, at, 4, little), out);
  if (at < raw.size()) AppendUtf8(kReplacement, out);
}

std::size_t MarkSize(Encoding encoding) {
  switch (encoding) {
    case Encoding::kBytes: return 0;
    case Encoding::kUtf8Mark: return 3;
    case Encoding::kUtf16Little:
    case Encoding::kUtf16Big: return 2;
    case Encoding::kUtf32Little:
    case Encoding::kUtf32Big: return 4;
  }
  return 0;
}

bool IsUtf32(Encoding e) { return e == Encoding::kUtf32Little || e == Encoding::kUtf32Big; }
bool IsLittle(Encoding e) { return e == Encoding::kUtf16Little || e == Encoding::kUtf32Little; }

// Bytes without a mark.
void Transcode(Encoding encoding, std::string_view bytes, const Deadline& deadline, std::string& out) {
  if (IsUtf32(encoding)) {
    FromUtf32(bytes, IsLittle(encoding), deadline, out);
  } else {
    FromUtf16(bytes, IsLittle(encoding), deadline, out);
  }
}

}  // namespace

Encoding SniffEncoding(std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF"sv)) return Encoding::kUtf8Mark;
  if (start.starts_with("\xFF\xFE\0\0"sv)) return Encoding::kUtf32Little;
  if (start.starts_with("\0\0\xFE\xFF"sv)) return Encoding::kUtf32Big;
  if (start.starts_with("\xFF\xFE"sv)) return Encoding::kUtf16Little;
  if (start.starts_with("\xFE\xFF"sv)) return Encoding::kUtf16Big;
  return Encoding::kBytes;
}

std::string_view DecodeText(std::string_view raw, std::string& buffer, const Deadline& deadline) {
  const Encoding encoding = SniffEncoding(raw.substr(0, kMarkBytes));
  const std::string_view bytes = raw.substr(MarkSize(encoding));
  if (!IsWide(encoding)) return bytes;
  buffer.clear();
  buffer.reserve(raw.size());
  Transcode(encoding, bytes, deadline, buffer);
  return buffer;
}

std::string_view TextDecoder::Take(std::string_view piece, bool last) {
  if (started_ && !IsWide(encoding_)) return piece;
  text_.clear();
  held_ += piece;
  if (!started_ && held_.size() < kMarkBytes && !last) return text_;
  std::string_view bytes = held_;
  if (!started_) {
    encoding_ = SniffEncoding(bytes.substr(0, kMarkBytes));
    bytes.remove_prefix(MarkSize(encoding_));
    started_ = true;
  }
  const std::size_t whole = last || !IsWide(encoding_) ? bytes.size() : WholeCharacters(bytes);
  if (IsWide(encoding_)) {
    Transcode(encoding_, bytes.substr(0, whole), {}, text_);
  } else {
    text_ = bytes;
  }
  held_ = std::string(bytes.substr(whole));
  return text_;
}

// How many of the bytes do not depend on those that follow.
std::size_t TextDecoder::WholeCharacters(std::string_view bytes) const {
  const std::size_t unit = IsUtf32(encoding_) ? 4 : 2;
  std::size_t whole = bytes.size() / unit * unit;
  const bool cut = unit == 2 && whole > 0 && IsHighSurrogate(Unit(bytes, whole - 2, 2, IsLittle(encoding_)));
  return cut ? whole - unit : whole;
}

}  // namespace forge
