// Frames over a local stream.
//
// One thread may receive while another sends; two that send need a lock of their
// own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/deadline.h"
#include "os/local_socket.h"
#include "remote/protocol.h"
#include "wire/codec.h"
#include "wire/frame.h"

namespace forge::remote {

// Why a frame could not be had. The first two leave the channel usable.
enum class Lost {
  kTimeout,
  kCancelled,
  kClosed,
  kGarbage,
};

class Channel {
 public:
  Channel(os::LocalStream stream, std::size_t most_payload) : stream_(std::move(stream)), reader_(most_payload) {}

  // False: the other end is gone, or the deadline came first. Then the channel is
  // of no use, because part of the frame may have been sent.
  template <typename T>
  [[nodiscard]] bool Send(Type type, const T& value, const Deadline& deadline) {
    return SendBytes(type, wire::Encode(value), deadline);
  }
  [[nodiscard]] bool SendBytes(Type type, std::string_view payload, const Deadline& deadline);

  // Whole frames, as wire::PutFrame makes them.
  [[nodiscard]] bool SendFrames(std::string_view frames, const Deadline& deadline);

  // Nothing: `lost` says why.
  std::optional<wire::Frame> Receive(const Deadline& deadline, Lost& lost);

  // The value of a frame of this type; nothing for anything else.
  template <typename T>
  std::optional<T> Expect(Type type, const Deadline& deadline) {
    Lost lost = Lost::kClosed;
    const auto frame = Receive(deadline, lost);
    if (!frame || frame->type != static_cast<std::uint8_t>(type)) return std::nullopt;
    return wire::Decode<T>(frame->payload);
  }

  void Shutdown() const { stream_.Shutdown(); }
  std::int64_t peer() const { return stream_.peer(); }

 private:
  const os::LocalStream stream_;
  wire::FrameReader reader_;
};

}  // namespace forge::remote
