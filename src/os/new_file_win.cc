#include <cerrno>

#include "base/path.h"
#include "os/limits.h"
#include "os/named_file.h"
#include "os/new_file.h"
#include "os/private_file.h"
#include "os/system_win.h"

namespace forge::os {
namespace {

// Writes the text beside `path`; the name that it has there.
OsResult<std::string> WriteBeside(const std::string& path, std::string_view text) {
  std::string temporary = path + "." + std::to_string(OwnProcess()) + ".tmp";
  RemoveFile(temporary);
  const OsResult<Fd> fd = OpenNamed(temporary, FILE_GENERIC_WRITE, CREATE_NEW, 0);
  if (!fd.ok()) return fd.error();
  const OsResult<bool> written = WriteAt(fd->get(), 0, text);
  if (written.ok() && FlushFileBuffers(HandleOf(fd->get())) != 0) return temporary;
  const OsError error = written.ok() ? LastError() : written.error();
  RemoveFile(temporary);
  return error;
}

OsResult<bool> Move(const std::string& from, const std::string& to, DWORD flags) {
  if (MoveFileExW(ExtendedPath(from).c_str(), ExtendedPath(to).c_str(), flags | MOVEFILE_WRITE_THROUGH) != 0)
    return true;
  const OsError error = LastError();
  RemoveFile(from);
  return error;
}

}  // namespace

OsResult<bool> WriteNewFile(const std::string& given, std::string_view text) {
  const std::string path = NormalPath(PathFrom(CurrentFolder(), OwnForm(given)));
  if (StatItself(path).ok()) return OsError{EEXIST};
  if (const auto made = MakePrivateFolder(std::string(ParentPath(path))); !made.ok()) return made;
  const OsResult<std::string> temporary = WriteBeside(path, text);
  return temporary.ok() ? Move(*temporary, path, 0) : temporary.error();
}

OsResult<bool> ReplaceFile(const std::string& path, std::string_view text) {
  const OsResult<std::string> target = CanonicalPath(path);
  if (!target.ok()) return target.error();
  const OsResult<std::string> temporary = WriteBeside(*target, text);
  return temporary.ok() ? Move(*temporary, *target, MOVEFILE_REPLACE_EXISTING) : temporary.error();
}

}  // namespace forge::os
