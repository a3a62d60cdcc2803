// Messages between a client and the shared server: every string of bytes is
// refused or is exactly the encoding of the value that it gives.
#include "fuzz/fuzz.h"
#include "remote/protocol.h"
#include "wire/codec.h"
#include "wire/frame.h"
#include "wire/types.h"

namespace forge {
namespace {

template <typename T>
void Check(std::string_view bytes) {
  const std::optional<T> value = wire::Decode<T>(bytes);
  if (value) fuzz::Require(wire::Encode(*value) == bytes, "one value has one encoding");
}

void TakeFrames(std::string_view bytes) {
  wire::FrameReader reader(1 << 20);
  reader.Feed(bytes);
  wire::Frame frame;
  while (reader.Take(frame) == wire::FrameReader::Next::kFrame) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 8) {
    case 0: Check<SearchRequest>(bytes); break;
    case 1: Check<SearchResponse>(bytes); break;
    case 2: Check<Event>(bytes); break;
    case 3: Check<IndexStatus>(bytes); break;
    case 4: Check<remote::Hello>(bytes); break;
    case 5: Check<remote::Open>(bytes); break;
    case 6: Check<remote::Search>(bytes); break;
    default: TakeFrames(bytes); break;
  }
  return 0;
}

}  // namespace forge
