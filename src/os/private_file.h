// Files and folders for this user alone. A crash leaves either the old content
// or the new.
//
// No function follows a symlink in the last component of a path: in a folder
// that others can write to, another user may have taken the name first. None
// waits for the other end of a FIFO.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "os/file.h"

namespace forge::os {

inline constexpr std::uint32_t kPrivateFolder = 0700;
inline constexpr std::uint32_t kPrivateFile = 0600;

struct Access {
  std::uint32_t owner = 0;
  std::uint32_t permissions = 0;  // the low nine bits of the mode
};

std::uint32_t EffectiveUser();
OsResult<Access> AccessOf(int fd);

// False if it was there before. Also creates missing parents, as private as it.
OsResult<bool> MakePrivateFolder(const std::string& absolute);
OsResult<Fd> OpenFolderItself(const std::string& absolute);

OsResult<FileInfo> StatItself(const std::string& path);
// Removes a file, a link or an empty folder; does nothing if it cannot.
void RemoveFile(const std::string& path);
// Sets the time of the last change, in nanoseconds; does nothing if it cannot.
void SetModified(const std::string& path, std::int64_t time_ns);

// Opens for reading and writing; creates the file with 0600 if it is missing.
OsResult<Fd> OpenPrivateFile(const std::string& path);
// Opens for reading.
OsResult<Fd> OpenFileItself(const std::string& path);

// Writes all of it at `offset`.
OsResult<bool> WriteAt(int fd, std::uint64_t offset, std::string_view bytes);

// Stores `bytes` as `name` in `folder`: writes them to `temporary`, syncs it,
// renames it, and syncs the folder. After a success they survive a loss of
// power.
OsResult<bool> WriteDurably(const std::string& folder, const std::string& temporary, const std::string& name,
                            std::string_view bytes);

// Whether a write failed with this code because the disk, a quota or a limit of the
// size of files is full.
bool MeansNoSpace(int code);

// Creates a file of so many bytes and removes it again; reports what fails.
OsResult<bool> TryWriting(const std::string& folder, std::size_t size = 4096);

}  // namespace forge::os
