#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/path.h"
#include "os/system_win.h"
// After windows.h.
#include <winioctl.h>

namespace forge::os {
namespace {

// REPARSE_DATA_BUFFER, which only the headers for drivers have.
struct Header {
  std::uint32_t tag;
  std::uint16_t length;
  std::uint16_t reserved;
  std::uint16_t name_offset;  // in bytes, from the end of all fields
  std::uint16_t name_length;
};
constexpr std::size_t kFieldsOfJunction = 16;
constexpr std::size_t kFieldsOfSymlink = 20;  // with flags

}  // namespace

OsResult<std::string> LinkTarget(int link) {
  alignas(Header) std::array<char, MAXIMUM_REPARSE_DATA_BUFFER_SIZE> buffer;
  DWORD size = 0;
  if (DeviceIoControl(HandleOf(link), FSCTL_GET_REPARSE_POINT, nullptr, 0, buffer.data(), buffer.size(), &size,
                      nullptr) == 0) {
    return LastError();
  }
  Header header;
  if (size < sizeof header) return OsError{EINVAL};
  std::memcpy(&header, buffer.data(), sizeof header);
  if (header.tag != IO_REPARSE_TAG_SYMLINK && header.tag != IO_REPARSE_TAG_MOUNT_POINT) return OsError{EINVAL};
  const std::size_t fields = header.tag == IO_REPARSE_TAG_SYMLINK ? kFieldsOfSymlink : kFieldsOfJunction;
  if (fields + header.name_offset + header.name_length > size) return OsError{EINVAL};
  std::wstring target(header.name_length / sizeof(wchar_t), L'\0');
  std::memcpy(target.data(), buffer.data() + fields + header.name_offset, target.size() * sizeof(wchar_t));
  // The object manager's name: \??\C:\a.
  if (target.starts_with(L"\\??\\")) target[1] = L'\\';
  return OwnForm(Bytes(target));
}

}  // namespace forge::os
