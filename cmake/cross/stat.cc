// zig brings its own stat, lstat, fstat and fstatat for a glibc before 2.33. They put an
// error into a variable of theirs and not into errno, so a file that is not there looks
// like one that is. These take their place in the program. The kernel's struct stat is
// that of glibc on both processors that we compile for.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

int StatAt(int folder, const char* path, void* out, int flags) {
  return static_cast<int>(syscall(SYS_newfstatat, folder, path, out, flags));
}

}  // namespace

extern "C" {

int fstatat(int folder, const char* path, void* out, int flags) { return StatAt(folder, path, out, flags); }
int fstatat64(int folder, const char* path, void* out, int flags) { return StatAt(folder, path, out, flags); }
int stat(const char* path, void* out) { return StatAt(AT_FDCWD, path, out, 0); }
int stat64(const char* path, void* out) { return StatAt(AT_FDCWD, path, out, 0); }
int lstat(const char* path, void* out) { return StatAt(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }
int lstat64(const char* path, void* out) { return StatAt(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }
int fstat(int fd, void* out) { return static_cast<int>(syscall(SYS_fstat, fd, out)); }
int fstat64(int fd, void* out) { return static_cast<int>(syscall(SYS_fstat, fd, out)); }

}  // extern "C"
