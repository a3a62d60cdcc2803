#include "os/file_times.h"
#include "os/system_win.h"

namespace forge::os {

std::int64_t TimeOf(const std::string& path, FileTime which) {
  const OsResult<Fd> fd = OpenNamed(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
  FILE_BASIC_INFO info;
  if (!fd.ok()) return 0;
  if (GetFileInformationByHandleEx(HandleOf(fd->get()), FileBasicInfo, &info, sizeof info) == 0) return 0;
  const LARGE_INTEGER& time = which == FileTime::kModified   ? info.LastWriteTime
                              : which == FileTime::kAccessed ? info.LastAccessTime
                                                             : info.CreationTime;
  return UnixNs(time.QuadPart);
}

}  // namespace forge::os
