#include "remote/place.h"

#include "base/sha256.h"
#include "os/private_file.h"
#include "os/process.h"

namespace forge::remote {
namespace {

constexpr std::size_t kNameLength = 24;

bool IsOwnFolder(const std::string& path) {
  const auto fd = os::OpenFolderItself(path);
  if (!fd.ok()) return false;
  const auto access = os::AccessOf(fd->get());
  return access.ok() && access->owner == os::EffectiveUser() && access->permissions == os::kPrivateFolder;
}

std::string FolderIn(const Environment& environment) {
  const std::string user = std::to_string(os::EffectiveUser());
  if (const std::string named = environment.GetAbsolute("XDG_RUNTIME_DIR"); !named.empty()) {
    return named + "/forge-search";
  }
  // Hosts that pass on no environment find what the others find.
  if (const std::string usual = "/run/user/" + user; IsOwnFolder(usual)) return usual + "/forge-search";
  const std::string temporary = environment.GetAbsolute("TMPDIR");
  return (temporary.empty() ? "/tmp" : temporary) + "/forge-search-run-" + user;
}

}  // namespace

std::string BuildOf(const os::FileInfo& program) {
  std::string text;
  for (const std::uint64_t part :
       {program.device, program.inode, program.size, static_cast<std::uint64_t>(program.mtime_ns)}) {
    text += std::to_string(part) + " ";
  }
  return Sha256Hex(text).substr(0, kNameLength);
}

Place FindPlace(const Environment& environment) {
  const auto own = os::OwnFile();
  return {FolderIn(environment), own.ok() ? BuildOf(*own) : ""};
}

}  // namespace forge::remote
