// A shared library that is loaded when it is first needed.
//
// For libraries that most runs never use: linking to libcurl makes every start
// of the program 6 ms slower; loading it on demand costs nothing until then. A
// library stays loaded until the process ends, because such libraries do not
// expect to be unloaded.
#pragma once

#include <string>

#include "forge/result.h"

namespace forge::os {

// The file name of version `version` of a library: "libcurl.so.4",
// "libcurl.4.dylib", "libcurl-4.dll".
std::string LibraryName(const std::string& name, int version);

class Library {
 public:
  // `name` as for dlopen(3): the system looks for it in its library folders.
  static Result<Library> Open(const std::string& name);

  // Null if there is no such symbol.
  void* Symbol(const char* name) const;

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace forge::os
