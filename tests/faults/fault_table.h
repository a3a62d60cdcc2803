// What a test and the library fail_nth share: a file, mapped by both.
//
// The library is loaded into the real program by LD_PRELOAD. It counts the calls
// of the functions below, and lets one of them fail. The test says which one, and
// reads the counts. A program, its threads and its children count together.
#pragma once

#include <atomic>
#include <cstdint>

namespace forge::testing {

// Name, and the error that its failed call gives. Only errors that do not say
// "there is nothing": a file that is not there is no fault. Two functions that
// differ in the size of an offset are one.
#define FORGE_FAULT_FUNCTIONS(F) \
  F(open, EMFILE)                \
  F(openat, EIO)                 \
  F(openat2, EIO)                \
  F(close, EIO)                  \
  F(read, EIO)                   \
  F(pread, EIO)                  \
  F(write, ENOSPC)               \
  F(pwrite, ENOSPC)              \
  F(fsync, EIO)                  \
  F(ftruncate, EIO)              \
  F(lseek, EIO)                  \
  F(rename, EIO)                 \
  F(link, EIO)                   \
  F(unlink, EIO)                 \
  F(unlinkat, EIO)               \
  F(mkdir, ENOSPC)               \
  F(mkostemp, ENOSPC)            \
  F(chmod, EPERM)                \
  F(fchmod, EPERM)               \
  F(stat, EIO)                   \
  F(lstat, EIO)                  \
  F(fstat, EIO)                  \
  F(fstatat, EIO)                \
  F(statx, EIO)                  \
  F(fstatfs, EIO)                \
  F(access, EIO)                 \
  F(getdents64, EIO)             \
  F(readlink, EIO)               \
  F(readlinkat, EIO)             \
  F(realpath, EIO)               \
  F(getcwd, EIO)                 \
  F(utimensat, EPERM)            \
  F(fcntl, ENOLCK)               \
  F(ioctl, EIO)                  \
  F(mmap, ENOMEM)                \
  F(aligned_alloc, ENOMEM)       \
  F(dup, EMFILE)                 \
  F(dup2, EMFILE)                \
  F(pipe2, EMFILE)               \
  F(eventfd, EMFILE)             \
  F(poll, ENOMEM)                \
  F(inotify_init1, EMFILE)       \
  F(inotify_add_watch, ENOSPC)   \
  F(inotify_rm_watch, EINVAL)    \
  F(socket, EMFILE)              \
  F(bind, EACCES)                \
  F(listen, EACCES)              \
  F(connect, ECONNREFUSED)       \
  F(accept4, EMFILE)             \
  F(getsockopt, ENOMEM)          \
  F(send, ECONNRESET)            \
  F(recv, ECONNRESET)            \
  F(fork, EAGAIN)                \
  F(vfork, EAGAIN)               \
  F(execve, EACCES)              \
  F(waitpid, ECHILD)             \
  F(dlopen, ENOENT)

enum FaultFunction {
#define FORGE_FAULT_ENUM(name, error) kFault_##name,
  FORGE_FAULT_FUNCTIONS(FORGE_FAULT_ENUM)
#undef FORGE_FAULT_ENUM
      kFaultFunctions
};

struct FaultTable {
  std::atomic<int> function{-1};         // that fails; -1: none
  std::atomic<std::uint64_t> at{0};      // its call that fails: 1 is the first
  std::atomic<int> error{0};             // its errno
  std::atomic<std::uint64_t> failed{0};  // calls that were made to fail
  std::atomic<std::uint64_t> calls[kFaultFunctions] = {};
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "two processes share it");

// In the environment of the program: the file, and the program itself. Other
// programs, which it starts, run as always.
inline constexpr const char* kFaultFile = "FORGE_FAULT_FILE";
inline constexpr const char* kFaultProgram = "FORGE_FAULT_PROGRAM";

}  // namespace forge::testing
