#include <pwd.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "os/home.h"

namespace forge::os {
namespace {

namespace fs = std::filesystem;

std::string HomeInDatabase() {
  std::array<char, 16384> buffer;
  passwd entry = {};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return "";
  return found->pw_dir == nullptr ? "" : found->pw_dir;
}

bool Holds(const fs::path& folder, const std::string& home) {
  if (!home.starts_with('/')) return false;
  std::error_code error;
  fs::path at = fs::weakly_canonical(home, error);
  if (error) at = home;
  if (!at.has_filename()) at = at.parent_path();  // "/a/" to "/a"
  for (; at.has_relative_path(); at = at.parent_path()) {
    if (at == folder) return true;
  }
  return false;
}

}  // namespace

bool HoldsHome(const std::string& folder, const std::string& variable) {
  return folder == "/" || Holds(folder, variable) || Holds(folder, HomeInDatabase());
}

std::string TemporaryFolder(const Environment& environment) {
  const std::string folder = environment.GetAbsolute("TMPDIR");
  return folder.empty() ? "/tmp" : folder;
}

std::string SystemConfigFolder(const Environment& /*environment*/) { return "/etc"; }

}  // namespace forge::os
