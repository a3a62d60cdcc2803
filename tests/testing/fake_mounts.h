// A table of mounts that the test writes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "os/mounts.h"

namespace forge::testing {

class FakeMounts final : public os::Mounts {
 public:
  void Set(std::vector<os::Mount> mounts) {
    mounts_ = std::move(mounts);
    changed_ = true;
  }

  bool Changed() override { return std::exchange(changed_, false); }
  std::vector<os::Mount> Below(const std::string& /*folder*/) override { return mounts_; }

 private:
  std::vector<os::Mount> mounts_;
  bool changed_ = true;  // as after opening the real one
};

}  // namespace forge::testing
