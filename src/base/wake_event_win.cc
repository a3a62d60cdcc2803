#include <windows.h>

#include <cstdint>

#include "base/wake_event.h"

namespace forge {
namespace {

HANDLE HandleOf(int descriptor) { return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(descriptor)); }

}  // namespace

WakeEvent::WakeEvent() {
  const HANDLE event = CreateEventW(nullptr, /*bManualReset=*/TRUE, /*bInitialState=*/FALSE, nullptr);
  if (event != nullptr) descriptor_ = static_cast<int>(reinterpret_cast<std::intptr_t>(event));
}

WakeEvent::~WakeEvent() {
  if (descriptor_ >= 0) CloseHandle(HandleOf(descriptor_));
}

void WakeEvent::Set() { SetEvent(HandleOf(descriptor_)); }

}  // namespace forge
