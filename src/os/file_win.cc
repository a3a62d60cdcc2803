#include <malloc.h>
#include <winternl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include "base/path.h"
#include "base/strings.h"
#include "os/named_file.h"
#include "os/system_win.h"
#include "os/try_allocate.h"

namespace forge::os {
namespace {

constexpr ACCESS_MASK kPlace = FILE_READ_ATTRIBUTES | FILE_TRAVERSE | SYNCHRONIZE;
constexpr ACCESS_MASK kRead = FILE_GENERIC_READ;
constexpr ULONG kAny = 0;
constexpr ULONG kFolder = FILE_DIRECTORY_FILE;
constexpr ULONG kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

struct Wanted {
  ACCESS_MASK access;
  ULONG options;
};

// Opens a name, which may be empty, in the folder; a link is opened itself unless
// `follow`. No folder: `name` is a whole path of the object manager (\??\C:\).
OsResult<Fd> OpenIn(HANDLE folder, std::wstring name, const Wanted& wanted, bool follow = false) {
  UNICODE_STRING text = {};
  text.Buffer = name.data();
  text.Length = text.MaximumLength = static_cast<USHORT>(name.size() * sizeof(wchar_t));
  OBJECT_ATTRIBUTES attributes = {};
  InitializeObjectAttributes(&attributes, &text, OBJ_CASE_INSENSITIVE, folder, nullptr);
  IO_STATUS_BLOCK status = {};
  HANDLE handle = INVALID_HANDLE_VALUE;
  const ULONG options =
      wanted.options | FILE_SYNCHRONOUS_IO_NONALERT | (follow ? 0UL : static_cast<ULONG>(FILE_OPEN_REPARSE_POINT));
  const NTSTATUS result = NtCreateFile(&handle, wanted.access | FILE_READ_ATTRIBUTES | SYNCHRONIZE, &attributes,
                                       &status, nullptr, 0, kShareAll, FILE_OPEN, options, nullptr, 0);
  // The system calls this a denial. But the file is gone, and only its name is left until
  // the last program closes it.
  constexpr auto kDeletePending = static_cast<NTSTATUS>(0xC0000056);
  if (result == kDeletePending) return OsError{ENOENT};
  if (result < 0) return ErrorOf(RtlNtStatusToDosError(result));
  return Fd(DescriptorOf(handle));
}

// A name that can only be one entry of a folder: the system would take these
// characters for a path, or for a stream within the file.
bool IsEntryName(std::string_view name) {
  return !name.empty() && name != ".." && name.find_first_of("\\/:") == std::string_view::npos &&
         name.size() < std::numeric_limits<USHORT>::max() / sizeof(wchar_t);
}

bool HasAttribute(int fd, DWORD attribute) {
  FILE_BASIC_INFO info = {};
  return GetFileInformationByHandleEx(HandleOf(fd), FileBasicInfo, &info, sizeof info) != 0 &&
         (info.FileAttributes & attribute) != 0;
}

bool IsSameFile(int one, int other) {
  BY_HANDLE_FILE_INFORMATION a = {};
  BY_HANDLE_FILE_INFORMATION b = {};
  return GetFileInformationByHandle(HandleOf(one), &a) != 0 && GetFileInformationByHandle(HandleOf(other), &b) != 0 &&
         a.dwVolumeSerialNumber == b.dwVolumeSerialNumber && a.nFileIndexHigh == b.nFileIndexHigh &&
         a.nFileIndexLow == b.nFileIndexLow;
}

// One entry, never through a link. What the cloud or a filter keeps elsewhere is
// opened again by its handle, this time with the help of the filter.
OsResult<Fd> OpenOne(int folder, std::string_view name, const Wanted& wanted) {
  if (name == ".") return OpenIn(HandleOf(folder), L"", wanted);
  if (!IsEntryName(name)) return OsError{name == ".." ? EXDEV : ENOENT};
  OsResult<Fd> fd = OpenIn(HandleOf(folder), Wide(name), wanted);
  if (!fd.ok() || !HasAttribute(fd->get(), FILE_ATTRIBUTE_REPARSE_POINT)) return fd;
  if (IsLink(fd->get())) return OsError{ELOOP};
  OsResult<Fd> helped = OpenIn(HandleOf(fd->get()), L"", wanted, /*follow=*/true);
  // Another program may have made a link of it meanwhile.
  if (helped.ok() && !IsSameFile(fd->get(), helped->get())) return OsError{ELOOP};
  return helped;
}

// Component by component: each is opened in the one before, by handle.
OsResult<Fd> OpenStrict(int folder, std::string_view relative, const Wanted& wanted) {
  Fd current;
  int at = folder;
  while (true) {
    const std::size_t slash = relative.find('/');
    const std::string_view name = relative.substr(0, slash);
    const bool last = slash == std::string_view::npos;
    OsResult<Fd> next = OpenOne(at, name.empty() ? "." : name, last ? wanted : Wanted{kPlace, kFolder});
    if (!next.ok() || last) return next;
    current = std::move(*next);
    at = current.get();
    relative.remove_prefix(slash + 1);
  }
}

// Sockets, FIFOs and devices of WSL and of Windows' own sockets.
bool IsSpecial(DWORD tag) {
  constexpr DWORD kSocket = 0x80000023;
  constexpr DWORD kBlockDevice = 0x80000026;
  return tag >= kSocket && tag <= kBlockDevice;
}

FileType TypeOf(DWORD attributes, DWORD tag) {
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    if (IsReparseTagNameSurrogate(tag)) return FileType::kSymlink;
    if (IsSpecial(tag)) return FileType::kOther;
  }
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return FileType::kDirectory;
  return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? FileType::kOther : FileType::kRegular;
}

std::uint64_t Join(DWORD high, DWORD low) { return (std::uint64_t{high} << 32) | low; }

}  // namespace

Fd::~Fd() { Reset(); }

void Fd::Reset() {
  if (fd_ >= 0) CloseHandle(HandleOf(fd_));
  fd_ = -1;
}

OsResult<Fd> OpenExactFolder(const std::string& absolute) {
  std::wstring top = ExtendedPath(PathRoot(absolute));
  top.replace(0, 4, L"\\??\\");  // the object manager's name for \\?\ .
  const OsResult<Fd> root = OpenIn(nullptr, top, {kPlace, kFolder});
  if (!root.ok()) return root.error();
  return OpenStrict(root->get(), BelowRoot(absolute), {kPlace, kFolder});
}

OsResult<Fd> OpenStep(int folder, const std::string& name) {
  if (name == ".") return OpenIn(HandleOf(folder), L"", {kPlace, kAny});
  if (!IsEntryName(name)) return OsError{ENOENT};
  return OpenIn(HandleOf(folder), Wide(name), {FILE_READ_ATTRIBUTES, kAny});
}

OsResult<Fd> OpenBeneath(int folder, const std::string& relative) {
  return OpenStrict(folder, relative, {kRead, kAny});
}

OsResult<Fd> OpenFolderBeneath(int folder, const std::string& relative) {
  return OpenStrict(folder, relative, {kRead, kFolder});
}

OsResult<Fd> OpenEntry(int folder, const char* name) { return OpenOne(folder, name, {kRead, kAny}); }

std::string OwnName(int fd, const std::string& name) {
  const OsResult<std::string> path = RealPath(fd);
  return path.ok() ? std::string(LastName(*path)) : name;
}

std::int64_t FileClockNow() {
  FILETIME now;
  GetSystemTimeAsFileTime(&now);
  return UnixNs(static_cast<std::int64_t>(Join(now.dwHighDateTime, now.dwLowDateTime)));
}

OsResult<FileInfo> Stat(int fd) {
  BY_HANDLE_FILE_INFORMATION info;
  FILE_BASIC_INFO times;
  FileInfo out;
  if (GetFileType(HandleOf(fd)) != FILE_TYPE_DISK) return out;
  if (GetFileInformationByHandle(HandleOf(fd), &info) == 0) return LastError();
  if (GetFileInformationByHandleEx(HandleOf(fd), FileBasicInfo, &times, sizeof times) == 0) return LastError();
  const bool link = (info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsLink(fd);
  out.type = link ? FileType::kSymlink : TypeOf(info.dwFileAttributes, 0);
  out.size = Join(info.nFileSizeHigh, info.nFileSizeLow);
  out.mtime_ns = UnixNs(times.LastWriteTime.QuadPart);
  out.ctime_ns = UnixNs(times.ChangeTime.QuadPart);
  out.device = info.dwVolumeSerialNumber;
  out.inode = Join(info.nFileIndexHigh, info.nFileIndexLow);
  out.links = info.nNumberOfLinks;
  return out;
}

OsResult<FileInfo> StatEntry(int folder, const std::string& name) {
  const OsResult<Fd> fd = OpenStep(folder, name);
  return fd.ok() ? Stat(fd->get()) : fd.error();
}

OsResult<FileInfo> StatBeneath(int folder, const std::string& relative) {
  const std::size_t slash = relative.rfind('/');
  if (slash == std::string::npos) return StatEntry(folder, relative.empty() ? "." : relative);
  const OsResult<Fd> parent = OpenStrict(folder, relative.substr(0, slash), {kPlace, kFolder});
  return parent.ok() ? StatEntry(parent->get(), relative.substr(slash + 1)) : parent.error();
}

OsResult<std::vector<DirEntry>> ListFolder(int folder, const Deadline& deadline) {
  alignas(FILE_FULL_DIR_INFO) std::array<char, 32768> buffer;
  std::vector<DirEntry> entries;
  FILE_INFO_BY_HANDLE_CLASS step = FileFullDirectoryRestartInfo;
  while (GetFileInformationByHandleEx(HandleOf(folder), step, buffer.data(), buffer.size()) != 0) {
    step = FileFullDirectoryInfo;
    for (std::size_t at = 0;;) {
      const auto* entry = reinterpret_cast<const FILE_FULL_DIR_INFO*>(buffer.data() + at);
      std::string name = Bytes({entry->FileName, entry->FileNameLength / sizeof(wchar_t)});
      // For a reparse point, EaSize is its tag.
      if (name != "." && name != "..")
        entries.push_back({std::move(name), TypeOf(entry->FileAttributes, entry->EaSize)});
      if (entry->NextEntryOffset == 0) break;
      at += entry->NextEntryOffset;
    }
    if (entries.size() > 1000 && deadline.over()) return OsError{ECANCELED};
  }
  // An empty volume has not even "." and says so.
  const DWORD end = GetLastError();
  if (end == ERROR_NO_MORE_FILES || end == ERROR_FILE_NOT_FOUND) return entries;
  return ErrorOf(end);
}

void FreeAligned::operator()(char* p) const { _aligned_free(p); }

AlignedBytes TryAllocate(std::size_t size) {
  constexpr std::size_t kPage = 4096;
  return AlignedBytes(static_cast<char*>(_aligned_malloc(size, kPage)));
}

OsResult<std::size_t> ReadRest(int fd, std::uint64_t expected, std::uint64_t limit, Buffer& buffer,
                               const Deadline& deadline) {
  constexpr std::size_t kPiece = 4 * 1024 * 1024;
  std::size_t& filled = buffer.size_;
  if (expected > SIZE_MAX - kPiece) return OsError{ENOMEM};
  if (!buffer.Reserve(std::max<std::uint64_t>(expected + 1, 4096))) return OsError{ENOMEM};
  while (filled < limit) {
    if (filled == buffer.capacity_ && !buffer.Reserve(buffer.capacity_ * 2)) return OsError{ENOMEM};
    const std::size_t room = std::min<std::uint64_t>(buffer.capacity_, limit) - filled;
    const auto count = ReadAt(fd, filled, buffer.data_.get() + filled, std::min(room, kPiece));
    if (!count.ok()) return count;
    filled += *count;
    if (*count < std::min(room, kPiece)) break;  // a short read is the end here
    if (filled >= kPiece && deadline.over()) return OsError{ECANCELED};
  }
  return filled;
}

OsResult<std::size_t> ReadOnce(int fd, std::size_t size, Buffer& buffer) {
  buffer.size_ = 0;
  if (GetFileType(HandleOf(fd)) != FILE_TYPE_DISK) return OsError{ESPIPE};
  if (!buffer.Reserve(size)) return OsError{ENOMEM};
  const auto count = ReadAt(fd, 0, buffer.data_.get(), size);
  if (count.ok()) buffer.size_ = *count;
  return count;
}

bool ShortReadIsEnd(int /*fd*/) { return true; }

OsResult<std::size_t> ReadAt(int fd, std::uint64_t offset, char* out, std::size_t size) {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  DWORD count = 0;
  const auto most = static_cast<DWORD>(std::min<std::size_t>(size, std::numeric_limits<DWORD>::max()));
  if (ReadFile(HandleOf(fd), out, most, &count, &place) == 0 && GetLastError() != ERROR_HANDLE_EOF) return LastError();
  return std::size_t{count};
}

}  // namespace forge::os
