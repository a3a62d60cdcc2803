#include "wire/frame.h"

namespace forge::wire {
namespace {

constexpr std::size_t kLengthBytes = 4;

std::size_t LengthAt(const char* bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return length;
}

}  // namespace

void PutFrame(std::uint8_t type, std::string_view payload, std::string& out) {
  const std::size_t length = payload.size() + 1;
  for (std::size_t i = 0; i < kLengthBytes; ++i) out.push_back(static_cast<char>(length >> (8 * i)));
  out.push_back(static_cast<char>(type));
  out += payload;
}

FrameReader::Next FrameReader::Take(Frame& out) {
  const std::size_t left = bytes_.size() - used_;
  if (garbage_) return Next::kGarbage;
  if (left < kLengthBytes) return Next::kMoreBytes;
  const std::size_t length = LengthAt(bytes_.data() + used_);
  garbage_ = length == 0 || length - 1 > most_payload_;
  if (garbage_) return Next::kGarbage;
  if (left < kLengthBytes + length) return Next::kMoreBytes;
  const std::size_t start = used_ + kLengthBytes;
  out.type = static_cast<std::uint8_t>(bytes_[start]);
  out.payload.assign(bytes_, start + 1, length - 1);
  used_ = start + length;
  if (used_ == bytes_.size() || used_ > bytes_.size() / 2) {
    bytes_.erase(0, used_);
    used_ = 0;
  }
  return Next::kFrame;
}

}  // namespace forge::wire
