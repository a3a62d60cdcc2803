#include "remote/channel.h"

#include <array>
#include <cerrno>

namespace forge::remote {
namespace {

constexpr std::size_t kReadSize = 64 << 10;

Lost LostBy(int code) {
  switch (code) {
    case ETIMEDOUT: return Lost::kTimeout;
    case ECANCELED: return Lost::kCancelled;
    default: return Lost::kClosed;
  }
}

}  // namespace

bool Channel::SendBytes(Type type, std::string_view payload, const Deadline& deadline) {
  std::string bytes;
  bytes.reserve(payload.size() + 5);
  wire::PutFrame(static_cast<std::uint8_t>(type), payload, bytes);
  return SendFrames(bytes, deadline);
}

bool Channel::SendFrames(std::string_view frames, const Deadline& deadline) {
  return stream_.Write(frames, deadline).ok();
}

std::optional<wire::Frame> Channel::Receive(const Deadline& deadline, Lost& lost) {
  wire::Frame frame;
  std::array<char, kReadSize> buffer;
  while (true) {
    switch (reader_.Take(frame)) {
      case wire::FrameReader::Next::kFrame: return frame;
      case wire::FrameReader::Next::kGarbage: lost = Lost::kGarbage; return std::nullopt;
      case wire::FrameReader::Next::kMoreBytes: break;
    }
    const auto count = stream_.Read(buffer.data(), buffer.size(), deadline);
    if (!count.ok() || *count == 0) {
      lost = count.ok() ? Lost::kClosed : LostBy(count.error().code);
      return std::nullopt;
    }
    reader_.Feed({buffer.data(), *count});
  }
}

}  // namespace forge::remote
