// The memory of the machine, and whether it is short, as Windows tells.
#include <windows.h>

#include "os/memory.h"

namespace forge::os {
namespace {

std::optional<MEMORYSTATUSEX> Now() {
  MEMORYSTATUSEX status = {};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return std::nullopt;
  return status;
}

class WindowsMemory final : public Memory {
 public:
  std::optional<std::uint64_t> Limit() const override {
    const auto now = Now();
    return now ? std::optional<std::uint64_t>(now->ullTotalPhys) : std::nullopt;
  }
  // The system pages out to the disk long before it runs out.
  bool IsShort() const override {
    const auto now = Now();
    return now && now->ullAvailPhys < now->ullTotalPhys / 10;
  }
};

}  // namespace

const Memory& Memory::System() {
  static const WindowsMemory memory;
  return memory;
}

// The heap of Windows gives it back by itself.
void ReturnFreedMemory() {}

void PreferSmallMemory() {}

}  // namespace forge::os
