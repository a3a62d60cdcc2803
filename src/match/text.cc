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
  switch (encoding) {
    case Encoding::kBytes: return raw;
    case Encoding::kUtf8Mark: return raw.substr(3);
    default: break;
  }
  buffer.clear();
  buffer.reserve(raw.size());
  switch (encoding) {
    case Encoding::kUtf16Little: FromUtf16(raw.substr(2), true, deadline, buffer); break;
    case Encoding::kUtf16Big: FromUtf16(raw.substr(2), false, deadline, buffer); break;
    case Encoding::kUtf32Little: FromUtf32(raw.substr(4), true, deadline, buffer); break;
    default: FromUtf32(raw.substr(4), false, deadline, buffer); break;
  }
  return buffer;
}

}  // namespace forge
