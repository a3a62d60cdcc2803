# Compiles for another system with zig, which has the headers and the C and C++
# libraries of all of them. scripts/cross makes the folder of tools and libraries, and
# says how to use this file:
#
#   -DCMAKE_TOOLCHAIN_FILE=cmake/cross/toolchain.cmake
#   -DFORGE_TARGET=x86_64-windows-gnu -DFORGE_CROSS=~/.cache/forge-search-cross
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FORGE_TARGET FORGE_CROSS)

string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${FORGE_TARGET})
if(FORGE_TARGET MATCHES "-windows-")
  set(CMAKE_SYSTEM_NAME Windows)
elseif(FORGE_TARGET MATCHES "-macos")
  set(CMAKE_SYSTEM_NAME Darwin)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()

set(tools ${FORGE_CROSS}/${FORGE_TARGET}/bin)
set(CMAKE_C_COMPILER ${tools}/cc)
set(CMAKE_CXX_COMPILER ${tools}/c++)
set(CMAKE_AR ${tools}/ar)
set(CMAKE_RANLIB ${tools}/ranlib)
set(CMAKE_C_COMPILER_AR ${tools}/ar)
set(CMAKE_CXX_COMPILER_AR ${tools}/ar)
set(CMAKE_C_COMPILER_RANLIB ${tools}/ranlib)
set(CMAKE_CXX_COMPILER_RANLIB ${tools}/ranlib)
set(CMAKE_RC_COMPILER ${tools}/rc)

# What CMake reads after its own files about the compiler, also when it tries something.
set(CMAKE_USER_MAKE_RULES_OVERRIDE ${CMAKE_CURRENT_LIST_DIR}/after-compiler.cmake)

# Libraries of this machine are for this machine.
set(libraries ${FORGE_CROSS}/${FORGE_TARGET}/libraries)
set(CMAKE_FIND_ROOT_PATH ${libraries})
set(CMAKE_PREFIX_PATH ${libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/lib/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")
