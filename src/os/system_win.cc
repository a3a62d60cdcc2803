#include "os/system_win.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/path.h"
#include "os/named_file.h"

namespace forge::os {
namespace {

constexpr std::int64_t kTick = 100;  // nanoseconds
constexpr std::int64_t kTicksTo1970 = 116'444'736'000'000'000;

bool IsSurrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// One character of generalized UTF-8: also of a surrogate. Bytes that are none
// become U+FFFD. Longer forms than needed are none: one of them would be a separator
// that no check of the bytes has seen.
char32_t NextCharacter(std::string_view& bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
  bool whole = lead < 0x80 || (lead >= 0xC2 && lead < 0xF5 && bytes.size() >= length);
  for (std::size_t i = 1; whole && i < length; ++i) {
    const auto next = static_cast<unsigned char>(bytes[i]);
    whole = (next & 0xC0) == 0x80;
    c = (c << 6) | (next & 0x3FU);
  }
  whole = whole && c >= kSmallest[length] && c <= 0x10FFFF;
  bytes.remove_prefix(whole ? length : 1);
  return whole ? c : 0xFFFD;
}

void AppendBytes(char32_t c, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

struct Meaning {
  DWORD code;
  int error;
};
constexpr Meaning kMeanings[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_INVALID_NAME, ENOENT},
    {ERROR_BAD_PATHNAME, ENOENT},
    {ERROR_MOD_NOT_FOUND, ENOENT},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_DELETE_PENDING, ENOENT},
    {ERROR_NOT_READY, ENOENT},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EACCES},
    {ERROR_NETWORK_ACCESS_DENIED, EACCES},
    {ERROR_PRIVILEGE_NOT_HELD, EPERM},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {1295, ENOSPC},  // ERROR_DISK_QUOTA_EXCEEDED
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_NO_DATA, EPIPE},
    {ERROR_PIPE_NOT_CONNECTED, EPIPE},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {681, ELOOP},  // ERROR_STOPPED_ON_SYMLINK, which older headers lack
    {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
    {ERROR_INVALID_HANDLE, EBADF},
    {ERROR_INVALID_PARAMETER, EINVAL},
    {ERROR_INVALID_FUNCTION, ENOTSUP},
    {ERROR_NOT_SUPPORTED, ENOTSUP},
    {ERROR_CALL_NOT_IMPLEMENTED, ENOTSUP},
    {ERROR_OPERATION_ABORTED, ECANCELED},
    {ERROR_SEM_TIMEOUT, ETIMEDOUT},
};

}  // namespace

std::wstring Wide(std::string_view bytes) {
  std::wstring out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const char32_t c = NextCharacter(bytes);
    if (c >= 0x10000) {
      out += static_cast<wchar_t>(0xD800 + ((c - 0x10000) >> 10));
      out += static_cast<wchar_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      out += static_cast<wchar_t>(c);
    }
  }
  return out;
}

std::string Bytes(std::wstring_view wide) {
  std::string out;
  out.reserve(wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    char32_t c = static_cast<std::uint16_t>(wide[i]);
    const char32_t next = i + 1 < wide.size() ? static_cast<std::uint16_t>(wide[i + 1]) : 0;
    const bool pair = IsSurrogate(c) && c < 0xDC00 && IsSurrogate(next) && next >= 0xDC00;
    if (pair) {
      c = 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00);
      ++i;
    }
    AppendBytes(c, out);
  }
  return out;
}

std::wstring ExtendedPath(std::string_view given) {
  std::string path = OwnForm(given);
  if (!IsAbsolutePath(path)) {
    const std::string current = CurrentFolder();
    path = JoinPath(path.starts_with('/') ? PathRoot(current) : std::string_view(current), path);
  }
  path = NormalPath(path);
  std::wstring wide = Wide(path.starts_with("//") ? path.substr(1) : path);
  std::replace(wide.begin(), wide.end(), L'/', L'\\');
  return (path.starts_with("//") ? L"\\\\?\\UNC" : L"\\\\?\\") + wide;
}

OsError ErrorOf(DWORD code) {
  const auto* const found =
      std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& m) { return m.code == code; });
  return {found == std::end(kMeanings) ? EIO : found->error};
}

OsError LastError() { return ErrorOf(GetLastError()); }

std::int64_t UnixNs(std::int64_t stamp) { return (stamp - kTicksTo1970) * kTick; }

std::int64_t StampOf(std::int64_t unix_ns) { return unix_ns / kTick + kTicksTo1970; }

int WaitAny(std::initializer_list<int> descriptors, int timeout_ms) {
  std::array<HANDLE, MAXIMUM_WAIT_OBJECTS> handles;
  std::array<int, MAXIMUM_WAIT_OBJECTS> places;
  DWORD count = 0;
  int place = 0;
  for (const int descriptor : descriptors) {
    if (descriptor >= 0) {
      handles[count] = HandleOf(descriptor);
      places[count++] = place;
    }
    ++place;
  }
  const DWORD timeout = timeout_ms < 0 ? INFINITE : static_cast<DWORD>(timeout_ms);
  if (count == 0) {
    Sleep(timeout);
    return -1;
  }
  const DWORD ready = WaitForMultipleObjects(count, handles.data(), FALSE, timeout);
  return ready < WAIT_OBJECT_0 + count ? places[ready - WAIT_OBJECT_0] : -1;
}

OsResult<Fd> OpenNamed(const std::string& path, DWORD access, DWORD disposition, DWORD flags) {
  constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE handle = CreateFileW(ExtendedPath(path).c_str(), access, kShareAll, nullptr, disposition,
                                    flags | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return LastError();
  return Fd(DescriptorOf(handle));
}

bool IsLink(int fd) {
  FILE_ATTRIBUTE_TAG_INFO info = {};
  // What cannot be judged is not followed.
  if (GetFileInformationByHandleEx(HandleOf(fd), FileAttributeTagInfo, &info, sizeof info) == 0) return true;
  return (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsReparseTagNameSurrogate(info.ReparseTag);
}

}  // namespace forge::os
