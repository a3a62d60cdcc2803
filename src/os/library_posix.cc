#include <dlfcn.h>

#include "os/library.h"

namespace forge::os {

Result<Library> Library::Open(const std::string& name) {
  void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return Library(handle);
  const char* const why = dlerror();
  return ExecutionFailed("cannot load " + name + ": " + (why != nullptr ? why : "unknown reason"));
}

void* Library::Symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace forge::os
