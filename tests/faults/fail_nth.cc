// A library for LD_PRELOAD: the n-th call of a function of the C library fails.
// fault_table.h says which functions there are, and how a test chooses.
//
// So the program that fails is the one that users have, with SQLite and the
// standard library in it: no seam in the product is needed, and none can be
// forgotten. What it cannot see are calls that libc makes by itself.
//
// Each function here has the name of one of libc by an asm label: a definition by
// that name itself would have to agree with every header's declaration.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "tests/faults/fault_table.h"

namespace {

using forge::testing::FaultTable;

FaultTable* table = nullptr;

bool IsTheProgram() {
  const char* wanted = getenv(forge::testing::kFaultProgram);
  char path[4096];
  const long size = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path);
  return wanted != nullptr && size > 0 && strlen(wanted) == static_cast<std::size_t>(size) &&
         strncmp(wanted, path, static_cast<std::size_t>(size)) == 0;
}

// By system calls alone: the functions are ours by now.
[[gnu::constructor]] void Begin() {
  const char* file = getenv(forge::testing::kFaultFile);
  if (file == nullptr || !IsTheProgram()) return;
  const long fd = syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  const long place = syscall(SYS_mmap, nullptr, sizeof(FaultTable), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (place > 0 || place < -4096) table = reinterpret_cast<FaultTable*>(place);
}

// Whether this call fails; errno is set then.
bool Fails(int function) {
  if (table == nullptr) return false;
  const std::uint64_t number = table->calls[function].fetch_add(1) + 1;
  if (table->function.load() != function || table->at.load() != number) return false;
  table->failed.fetch_add(1);
  errno = table->error.load();
  return true;
}

template <typename Function>
Function Real(Function& known, const char* name) {
  if (known == nullptr) {
    const int before = errno;
    void* found = dlsym(RTLD_NEXT, name);
    std::memcpy(&known, &found, sizeof known);
    errno = before;
  }
  return known;
}

}  // namespace

// FAKE(counted as, name in libc, type of the result, failure, parameters, arguments)
#define FAKE(function, name, type, failure, parameters, arguments)        \
  extern "C" type Fake_##name parameters __asm__(#name);                  \
  extern "C" [[gnu::visibility("default")]] type Fake_##name parameters { \
    static type(*real) parameters = nullptr;                              \
    if (Fails(forge::testing::kFault_##function)) return failure;         \
    return Real(real, #name) arguments;                                   \
  }

// For `mode` and other arguments that need not be there: reading one too many is
// harmless on the systems that this runs on.
FAKE(open, open, int, -1, (const char* path, int flags, int mode), (path, flags, mode))
FAKE(open, open64, int, -1, (const char* path, int flags, int mode), (path, flags, mode))
FAKE(openat, openat, int, -1, (int folder, const char* path, int flags, int mode), (folder, path, flags, mode))
FAKE(openat, openat64, int, -1, (int folder, const char* path, int flags, int mode), (folder, path, flags, mode))
FAKE(read, read, long, -1, (int fd, void* buffer, unsigned long size), (fd, buffer, size))
FAKE(pread, pread, long, -1, (int fd, void* buffer, unsigned long size, long at), (fd, buffer, size, at))
FAKE(pread, pread64, long, -1, (int fd, void* buffer, unsigned long size, long at), (fd, buffer, size, at))
FAKE(write, write, long, -1, (int fd, const void* bytes, unsigned long size), (fd, bytes, size))
FAKE(pwrite, pwrite, long, -1, (int fd, const void* bytes, unsigned long size, long at), (fd, bytes, size, at))
FAKE(pwrite, pwrite64, long, -1, (int fd, const void* bytes, unsigned long size, long at), (fd, bytes, size, at))
FAKE(fsync, fsync, int, -1, (int fd), (fd))
FAKE(fsync, fdatasync, int, -1, (int fd), (fd))
FAKE(ftruncate, ftruncate, int, -1, (int fd, long size), (fd, size))
FAKE(ftruncate, ftruncate64, int, -1, (int fd, long size), (fd, size))
FAKE(lseek, lseek, long, -1, (int fd, long at, int from), (fd, at, from))
FAKE(lseek, lseek64, long, -1, (int fd, long at, int from), (fd, at, from))
FAKE(rename, rename, int, -1, (const char* from, const char* to), (from, to))
FAKE(link, link, int, -1, (const char* from, const char* to), (from, to))
FAKE(unlink, unlink, int, -1, (const char* path), (path))
FAKE(unlinkat, unlinkat, int, -1, (int folder, const char* path, int flags), (folder, path, flags))
FAKE(mkdir, mkdir, int, -1, (const char* path, unsigned mode), (path, mode))
FAKE(mkostemp, mkostemp, int, -1, (char* path, int flags), (path, flags))
FAKE(mkostemp, mkostemp64, int, -1, (char* path, int flags), (path, flags))
FAKE(chmod, chmod, int, -1, (const char* path, unsigned mode), (path, mode))
FAKE(fchmod, fchmod, int, -1, (int fd, unsigned mode), (fd, mode))
FAKE(stat, stat, int, -1, (const char* path, void* out), (path, out))
FAKE(stat, stat64, int, -1, (const char* path, void* out), (path, out))
FAKE(lstat, lstat, int, -1, (const char* path, void* out), (path, out))
FAKE(lstat, lstat64, int, -1, (const char* path, void* out), (path, out))
FAKE(fstat, fstat, int, -1, (int fd, void* out), (fd, out))
FAKE(fstat, fstat64, int, -1, (int fd, void* out), (fd, out))
FAKE(fstatat, fstatat, int, -1, (int folder, const char* path, void* out, int flags), (folder, path, out, flags))
FAKE(fstatat, fstatat64, int, -1, (int folder, const char* path, void* out, int flags), (folder, path, out, flags))
FAKE(fstatfs, fstatfs, int, -1, (int fd, void* out), (fd, out))
FAKE(fstatfs, fstatfs64, int, -1, (int fd, void* out), (fd, out))
FAKE(access, access, int, -1, (const char* path, int mode), (path, mode))
FAKE(readlink, readlink, long, -1, (const char* path, char* out, unsigned long size), (path, out, size))
FAKE(readlinkat, readlinkat, long, -1, (int folder, const char* path, char* out, unsigned long size),
     (folder, path, out, size))
FAKE(realpath, realpath, char*, nullptr, (const char* path, char* out), (path, out))
FAKE(getcwd, getcwd, char*, nullptr, (char* out, unsigned long size), (out, size))
FAKE(utimensat, utimensat, int, -1, (int folder, const char* path, const void* times, int flags),
     (folder, path, times, flags))
FAKE(fcntl, fcntl, int, -1, (int fd, int command, long argument), (fd, command, argument))
FAKE(fcntl, fcntl64, int, -1, (int fd, int command, long argument), (fd, command, argument))
FAKE(ioctl, ioctl, int, -1, (int fd, unsigned long command, long argument), (fd, command, argument))
FAKE(mmap, mmap, void*, reinterpret_cast<void*>(-1L),
     (void* place, unsigned long size, int access, int flags, int fd, long at), (place, size, access, flags, fd, at))
FAKE(mmap, mmap64, void*, reinterpret_cast<void*>(-1L),
     (void* place, unsigned long size, int access, int flags, int fd, long at), (place, size, access, flags, fd, at))
FAKE(aligned_alloc, aligned_alloc, void*, nullptr, (unsigned long alignment, unsigned long size), (alignment, size))
FAKE(dup, dup, int, -1, (int fd), (fd))
FAKE(dup2, dup2, int, -1, (int from, int to), (from, to))
FAKE(pipe2, pipe2, int, -1, (int* ends, int flags), (ends, flags))
FAKE(eventfd, eventfd, int, -1, (unsigned value, int flags), (value, flags))
FAKE(poll, poll, int, -1, (void* waits, unsigned long count, int timeout), (waits, count, timeout))
FAKE(inotify_init1, inotify_init1, int, -1, (int flags), (flags))
FAKE(inotify_add_watch, inotify_add_watch, int, -1, (int fd, const char* path, unsigned mask), (fd, path, mask))
FAKE(inotify_rm_watch, inotify_rm_watch, int, -1, (int fd, int watch), (fd, watch))
FAKE(socket, socket, int, -1, (int family, int type, int protocol), (family, type, protocol))
FAKE(bind, bind, int, -1, (int fd, const void* address, unsigned size), (fd, address, size))
FAKE(listen, listen, int, -1, (int fd, int backlog), (fd, backlog))
FAKE(connect, connect, int, -1, (int fd, const void* address, unsigned size), (fd, address, size))
FAKE(accept4, accept4, int, -1, (int fd, void* address, void* size, int flags), (fd, address, size, flags))
FAKE(getsockopt, getsockopt, int, -1, (int fd, int level, int name, void* out, void* size),
     (fd, level, name, out, size))
FAKE(send, send, long, -1, (int fd, const void* bytes, unsigned long size, int flags), (fd, bytes, size, flags))
FAKE(recv, recv, long, -1, (int fd, void* buffer, unsigned long size, int flags), (fd, buffer, size, flags))
FAKE(fork, fork, int, -1, (), ())
// The real one is the last thing that is called here, so that the compiler makes a
// jump of it: a child of vfork must not return through this function's frame.
FAKE(vfork, vfork, int, -1, (), ())
FAKE(execve, execve, int, -1, (const char* path, char* const* argv, char* const* envp), (path, argv, envp))
FAKE(waitpid, waitpid, int, -1, (int pid, int* status, int options), (pid, status, options))

extern "C" int Fake_close(int fd) __asm__("close");
extern "C" [[gnu::visibility("default")]] int Fake_close(int fd) {
  // As Linux does it: the descriptor is closed, whatever else went wrong.
  const long done = syscall(SYS_close, fd);
  return Fails(forge::testing::kFault_close) ? -1 : static_cast<int>(done);
}

extern "C" long Fake_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");
extern "C" [[gnu::visibility("default")]] long Fake_syscall(long number, long a, long b, long c, long d, long e,
                                                            long f) {
  static long (*real)(long, long, long, long, long, long, long) = nullptr;
  if (number == SYS_openat2 && Fails(forge::testing::kFault_openat2)) return -1;
  if (number == SYS_getdents64 && Fails(forge::testing::kFault_getdents64)) return -1;
  if (number == SYS_statx && Fails(forge::testing::kFault_statx)) return -1;
  return Real(real, "syscall")(number, a, b, c, d, e, f);
}

extern "C" void* Fake_dlopen(const char* path, int mode) __asm__("dlopen");
extern "C" [[gnu::visibility("default")]] void* Fake_dlopen(const char* path, int mode) {
  static void* (*real)(const char*, int) = nullptr;
  // The real one fails, so that dlerror() has something to say.
  if (Fails(forge::testing::kFault_dlopen)) path = "/nonexistent/library.so";
  return Real(real, "dlopen")(path, mode);
}
