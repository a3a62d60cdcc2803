// Files and folders for this user alone, written so that a crash leaves the old
// or the new.
//
// No function follows a symlink in the last component of a path: in a folder
// that others can write to, a name may have been taken by somebody else.
#pragma once

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

// False if it was there before. Missing parents are made too, as private.
OsResult<bool> MakePrivateFolder(const std::string& absolute);
OsResult<Fd> OpenFolderItself(const std::string& absolute);

// For reading and writing; made with 0600 if it is missing.
OsResult<Fd> OpenPrivateFile(const std::string& path);
// For reading.
OsResult<Fd> OpenFileItself(const std::string& path);

// At `offset`, all of it.
OsResult<bool> WriteAt(int fd, std::uint64_t offset, std::string_view bytes);

// `bytes` under `name` of `folder`: written as `temporary`, synced, renamed, and
// the folder synced. After a success they survive a loss of power.
OsResult<bool> WriteDurably(const std::string& folder, const std::string& temporary, const std::string& name,
                            std::string_view bytes);

// Makes a file with some bytes and removes it again; says what is in the way.
OsResult<bool> TryWriting(const std::string& folder);

}  // namespace forge::os
