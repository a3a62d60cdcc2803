#include "os/library.h"
#include "os/system_win.h"

namespace forge::os {

std::string LibraryName(const std::string& name, int version) {
  return "lib" + name + "-" + std::to_string(version) + ".dll";
}

// Never from the current folder, which may be the tree that is searched.
Result<Library> Library::Open(const std::string& name) {
  constexpr DWORD kTrusted = LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32;
  const HMODULE handle = LoadLibraryExW(Wide(name).c_str(), nullptr, kTrusted);
  if (handle != nullptr) return Library(reinterpret_cast<void*>(handle));
  return ExecutionFailed("cannot load " + name + " from the folder of the program: " + LastError().message());
}

void* Library::Symbol(const char* name) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

}  // namespace forge::os
