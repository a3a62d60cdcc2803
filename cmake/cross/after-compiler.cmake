# zig takes -fPIE only where it links, and CMake passes it to every file of a program.
set(CMAKE_C_COMPILE_OPTIONS_PIE -fPIC)
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
