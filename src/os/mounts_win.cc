#include "os/mounts.h"

namespace forge::os {
namespace {

// A volume that is mounted in a folder is a reparse point, and we never go through
// one. So nothing is mounted below a folder of ours.
class NoMounts final : public Mounts {
 public:
  bool Changed() override { return false; }
  std::vector<Mount> Below(const std::string& /*folder*/) override { return {}; }
};

}  // namespace

OsResult<std::unique_ptr<Mounts>> OpenMounts() { return std::unique_ptr<Mounts>(std::make_unique<NoMounts>()); }

}  // namespace forge::os
