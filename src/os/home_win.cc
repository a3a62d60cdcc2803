#include "base/path.h"
#include "os/home.h"
#include "os/named_file.h"

namespace forge::os {
namespace {

bool Holds(const std::string& folder, const std::string& home) {
  return !home.empty() && IsWithin(ResolvedPath(home), folder);
}

}  // namespace

bool HoldsHome(const std::string& folder, const std::string& variable) {
  if (BelowRoot(folder).empty()) return true;
  const std::string given = OwnForm(variable);
  return (IsAbsolutePath(given) && Holds(folder, given)) ||
         Holds(folder, Environment::FromProcess().GetAbsolute("USERPROFILE"));
}

std::string UserCacheFolder(const Environment& environment) {
  const std::string folder = environment.GetAbsolute("LOCALAPPDATA");
  if (!folder.empty()) return folder;
  const std::string home = environment.GetAbsolute("HOME");
  return home.empty() ? "" : home + "/AppData/Local";
}

std::string TemporaryFolder(const Environment& environment) {
  const std::string folder = environment.GetAbsolute("TEMP");
  return folder.empty() ? "C:/Windows/Temp" : folder;
}

std::string SystemConfigFolder(const Environment& environment) {
  const std::string programs = environment.GetAbsolute("PROGRAMFILES");
  return (programs.empty() ? "C:/Program Files" : programs) + "/Git/etc";
}

}  // namespace forge::os
