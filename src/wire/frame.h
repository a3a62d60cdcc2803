// Messages on a stream of bytes.
//
//   length   4 bytes, little-endian: how many bytes follow, type included
//   type     1 byte; its values belong to the protocol (remote/protocol.h)
//   payload  length - 1 bytes
//
// The frame of type 5 with the payload "ab" is 03 00 00 00 05 'a' 'b'.
//
// A length of 0, or above what the reader allows, ends the conversation: the
// other end does not speak this protocol. A reader never holds more than it
// was given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace forge::wire {

struct Frame {
  std::uint8_t type = 0;
  std::string payload;
};

// Appends a frame to `out`.
void PutFrame(std::uint8_t type, std::string_view payload, std::string& out);

// Takes frames from bytes as they come. For one thread.
class FrameReader {
 public:
  explicit FrameReader(std::size_t most_payload) : most_payload_(most_payload) {}

  void Feed(std::string_view bytes) { bytes_ += bytes; }

  enum class Next { kFrame, kMoreBytes, kGarbage };
  // kGarbage once means kGarbage for ever.
  Next Take(Frame& out);

 private:
  const std::size_t most_payload_;
  std::string bytes_;
  std::size_t used_ = 0;  // of bytes_
  bool garbage_ = false;
};

}  // namespace forge::wire
