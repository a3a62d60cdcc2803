// Memory that is short when a test says so.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "os/memory.h"

namespace forge::testing {

class FakeMemory final : public os::Memory {
 public:
  std::optional<std::uint64_t> Limit() const override { return std::uint64_t{8} << 30; }
  bool IsShort() const override { return is_short; }

  std::atomic<bool> is_short = false;
};

}  // namespace forge::testing
