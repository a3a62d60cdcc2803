#include "os/system_name.h"
#include "os/system_win.h"

namespace forge::os {

// GetVersionEx tells what the program was made for; this tells what runs.
std::string SystemName() {
  using GetVersion = LONG(WINAPI*)(OSVERSIONINFOW*);
  const HMODULE system = GetModuleHandleW(L"ntdll.dll");
  const auto get = reinterpret_cast<GetVersion>(reinterpret_cast<void*>(GetProcAddress(system, "RtlGetVersion")));
  OSVERSIONINFOW version = {};
  version.dwOSVersionInfoSize = sizeof version;
  if (get == nullptr || get(&version) != 0) return "Windows";
  SYSTEM_INFO machine = {};
  GetNativeSystemInfo(&machine);
  const bool arm = machine.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64;
  return "Windows " + std::to_string(version.dwMajorVersion) + "." + std::to_string(version.dwMinorVersion) + "." +
         std::to_string(version.dwBuildNumber) + (arm ? " arm64" : " x86_64");
}

bool MakeFolderLink(const std::string& target, const std::string& path) {
  constexpr DWORD kUnprivileged = 2;  // SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE: in developer mode
  return CreateSymbolicLinkW(ExtendedPath(path).c_str(), ExtendedPath(target).c_str(),
                             SYMBOLIC_LINK_FLAG_DIRECTORY | kUnprivileged) != 0;
}

}  // namespace forge::os
