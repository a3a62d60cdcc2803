// The version of these headers, and of the library that a program runs with.
//
//   static_assert(FORGE_VERSION_MAJOR == 0 && FORGE_VERSION_MINOR >= 1);
//   if (forge::Version() != FORGE_VERSION) Complain();  // built against one, linked to another
//
// Compatibility (Semantic Versioning): versions that differ only in PATCH have
// the same API; a program compiles with either, and gets the same answers
// except for repaired faults. Before 1.0, a new MINOR may change the API;
// CHANGELOG.md says how. From 1.0 on only a new MAJOR may. The library is
// static and its types have no stable layout, so rebuild a program when you
// change the version.
//
// `find_package(forge-search 0.1)` of CMake accepts 0.1.x and no other version.
#pragma once

#include <string_view>

#define FORGE_VERSION_MAJOR 0
#define FORGE_VERSION_MINOR 1
#define FORGE_VERSION_PATCH 0
#define FORGE_VERSION "0.1.0"

namespace forge {

// FORGE_VERSION as it was when the library was compiled.
std::string_view Version();

}  // namespace forge
