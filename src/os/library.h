// A shared library that is loaded when it is first needed.
//
// For libraries that most runs never use: linking to libcurl costs every start
// of the program 6 ms, loading it on demand costs nothing until then. A library
// stays loaded for the rest of the process, as such libraries do not expect to
// be taken away.
#pragma once

#include <string>

#include "forge/result.h"

namespace forge::os {

class Library {
 public:
  // `name` as for dlopen(3): "libcurl.so.4" is looked for where the system
  // keeps its libraries.
  static Result<Library> Open(const std::string& name);

  // Null if there is no such symbol.
  void* Symbol(const char* name) const;

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace forge::os
