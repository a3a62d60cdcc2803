#include "os/limits.h"
#include "os/system_win.h"
// After windows.h.
#include <psapi.h>

#include <thread>

namespace forge::os {

std::optional<std::uint64_t> MaxOpenFiles() { return std::nullopt; }

std::optional<std::uint64_t> MaxWatches() { return std::nullopt; }

std::uint64_t Processors() { return std::thread::hardware_concurrency(); }

std::int64_t OwnProcess() { return GetCurrentProcessId(); }

std::optional<std::uint64_t> OwnMemory() {
  PROCESS_MEMORY_COUNTERS counters = {};
  if (K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) == 0) return std::nullopt;
  return counters.WorkingSetSize;
}

}  // namespace forge::os
