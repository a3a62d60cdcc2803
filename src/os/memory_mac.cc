// The memory of the machine, and whether it is short, as macOS tells.
#include <sys/sysctl.h>

#include "os/memory.h"

namespace forge::os {
namespace {

class MacMemory final : public Memory {
 public:
  std::optional<std::uint64_t> Limit() const override {
    std::uint64_t bytes = 0;
    std::size_t size = sizeof bytes;
    if (sysctlbyname("hw.memsize", &bytes, &size, nullptr, 0) != 0) return std::nullopt;
    return bytes;
  }
  // 1: normal, 2: the system asks for memory, 4: it ends programs.
  bool IsShort() const override {
    int level = 0;
    std::size_t size = sizeof level;
    return sysctlbyname("kern.memorystatus_vm_pressure_level", &level, &size, nullptr, 0) == 0 && level > 1;
  }
};

}  // namespace

const Memory& Memory::System() {
  static const MacMemory memory;
  return memory;
}

// The allocator of macOS gives it back by itself.
void ReturnFreedMemory() {}

void PreferSmallMemory() {}

}  // namespace forge::os
