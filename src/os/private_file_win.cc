#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "base/path.h"
#include "os/limits.h"
#include "os/private_file.h"
#include "os/system_win.h"

namespace forge::os {
namespace {

constexpr DWORD kItself = FILE_FLAG_OPEN_REPARSE_POINT;

OsResult<Fd> OpenWith(const std::string& path, DWORD access, DWORD disposition, DWORD flags = 0) {
  OsResult<Fd> fd = OpenNamed(path, access, disposition, flags | kItself);
  if (fd.ok() && IsLink(fd->get())) return OsError{ELOOP};
  return fd;
}

OsResult<bool> Done(BOOL result) {
  if (result == 0) return LastError();
  return true;
}

// Takes the place of a file that other programs have open, where the file system
// can do that.
bool RenameAsPosix(int fd, const std::wstring& to) {
  constexpr DWORD kReplace = 1;  // FILE_RENAME_FLAG_REPLACE_IF_EXISTS
  constexpr DWORD kPosix = 2;    // FILE_RENAME_FLAG_POSIX_SEMANTICS
  std::vector<char> buffer(sizeof(FILE_RENAME_INFO) + to.size() * sizeof(wchar_t));
  auto* const info = reinterpret_cast<FILE_RENAME_INFO*>(buffer.data());
  const DWORD flags = kReplace | kPosix;
  std::memcpy(info, &flags, sizeof flags);  // older headers have only the first of the union
  info->FileNameLength = static_cast<DWORD>(to.size() * sizeof(wchar_t));
  std::memcpy(info->FileName, to.data(), info->FileNameLength);
  constexpr auto kRenameEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx
  return SetFileInformationByHandle(HandleOf(fd), kRenameEx, info, static_cast<DWORD>(buffer.size())) != 0;
}

}  // namespace

// One user's folders are open to that user, to the system and to administrators: a
// profile is made so. We trust that, and do not read access lists.
std::uint32_t EffectiveUser() { return 0; }

OsResult<Access> AccessOf(int fd) {
  const OsResult<FileInfo> info = Stat(fd);
  if (!info.ok()) return info.error();
  return Access{EffectiveUser(), info->type == FileType::kDirectory ? kPrivateFolder : kPrivateFile};
}

OsResult<bool> MakePrivateFolder(const std::string& absolute) {
  const std::string parent(ParentPath(absolute));
  if (!parent.empty() && parent != absolute && !StatItself(parent).ok()) {
    const OsResult<bool> made = MakePrivateFolder(parent);
    if (!made.ok()) return made;
  }
  if (CreateDirectoryW(ExtendedPath(absolute).c_str(), nullptr) != 0) return true;
  if (GetLastError() == ERROR_ALREADY_EXISTS) return false;
  return LastError();
}

OsResult<Fd> OpenFolderItself(const std::string& absolute) {
  OsResult<Fd> fd = OpenWith(absolute, FILE_GENERIC_READ, OPEN_EXISTING);
  if (!fd.ok()) return fd;
  const OsResult<FileInfo> info = Stat(fd->get());
  if (info.ok() && info->type != FileType::kDirectory) return OsError{ENOTDIR};
  return fd;
}

OsResult<FileInfo> StatItself(const std::string& path) {
  const OsResult<Fd> fd = OpenNamed(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, kItself);
  return fd.ok() ? Stat(fd->get()) : fd.error();
}

void RemoveFile(const std::string& path) {
  const std::wstring name = ExtendedPath(path);
  if (DeleteFileW(name.c_str()) == 0) RemoveDirectoryW(name.c_str());
}

void SetModified(const std::string& path, std::int64_t time_ns) {
  const OsResult<Fd> fd = OpenWith(path, FILE_WRITE_ATTRIBUTES, OPEN_EXISTING);
  if (!fd.ok()) return;
  const std::int64_t stamp = StampOf(time_ns);
  const FILETIME time = {static_cast<DWORD>(stamp), static_cast<DWORD>(stamp >> 32)};
  SetFileTime(HandleOf(fd->get()), nullptr, nullptr, &time);
}

OsResult<Fd> OpenPrivateFile(const std::string& path) {
  return OpenWith(path, FILE_GENERIC_READ | FILE_GENERIC_WRITE, OPEN_ALWAYS);
}

OsResult<Fd> OpenFileItself(const std::string& path) { return OpenWith(path, FILE_GENERIC_READ, OPEN_EXISTING); }

OsResult<bool> WriteAt(int fd, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    OVERLAPPED place = {};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    DWORD count = 0;
    const auto most = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), std::numeric_limits<DWORD>::max()));
    if (WriteFile(HandleOf(fd), bytes.data(), most, &count, &place) == 0) return LastError();
    bytes.remove_prefix(count);
    offset += count;
  }
  return true;
}

bool MeansNoSpace(int code) { return code == ENOSPC || code == EFBIG; }

OsResult<bool> WriteDurably(const std::string& folder, const std::string& temporary, const std::string& name,
                            std::string_view bytes) {
  const std::string from = folder + "/" + temporary;
  const std::wstring to = ExtendedPath(folder + "/" + name);
  RemoveFile(from);  // what a killed process left under this name may be anything
  OsResult<Fd> fd = OpenWith(from, FILE_GENERIC_WRITE | DELETE, CREATE_NEW);
  if (!fd.ok()) return fd.error();
  OsResult<bool> done = WriteAt(fd->get(), 0, bytes);
  if (done.ok()) done = Done(FlushFileBuffers(HandleOf(fd->get())));
  if (done.ok() && RenameAsPosix(fd->get(), to)) return true;
  fd->Reset();
  if (done.ok()) {
    done =
        Done(MoveFileExW(ExtendedPath(from).c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH));
  }
  if (!done.ok()) RemoveFile(from);
  return done;
}

OsResult<bool> TryWriting(const std::string& folder, std::size_t size) {
  // If the process is killed here, the system removes it.
  const std::string path = folder + "/probe." + std::to_string(OwnProcess());
  const OsResult<Fd> fd = OpenWith(path, FILE_GENERIC_WRITE | DELETE, CREATE_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE);
  if (!fd.ok()) return fd.error();
  return WriteAt(fd->get(), 0, std::string(size, 'x'));
}

}  // namespace forge::os
