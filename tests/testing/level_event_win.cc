#include <windows.h>

#include <cstdint>

#include "tests/testing/level_event.h"

namespace forge::testing {
namespace {

// As os/file.h has handles: their numbers fit into an int.
HANDLE HandleOf(int descriptor) { return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(descriptor)); }

int MakeEvent() {
  const HANDLE event = CreateEventW(nullptr, /*bManualReset=*/TRUE, FALSE, nullptr);
  return static_cast<int>(reinterpret_cast<std::intptr_t>(event));
}

}  // namespace

LevelEvent::LevelEvent() : descriptor_(MakeEvent()) {}

LevelEvent::~LevelEvent() { CloseHandle(HandleOf(descriptor_)); }

void LevelEvent::Set() { SetEvent(HandleOf(descriptor_)); }

void LevelEvent::Reset() { ResetEvent(HandleOf(descriptor_)); }

}  // namespace forge::testing
