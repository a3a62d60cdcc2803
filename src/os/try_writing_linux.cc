#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "os/private_file.h"

namespace forge::os {

OsResult<bool> TryWriting(const std::string& folder, std::size_t size) {
  const std::string bytes(size, 'x');
  // A file without a name: if the process is killed here, nothing is left
  // behind.
  if (const Fd fd(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)); fd.valid()) {
    return WriteAt(fd.get(), 0, bytes);
  }
  std::string path = folder + "/probe.XXXXXX";  // some file systems have no files without a name
  const Fd fd(mkostemp(path.data(), O_CLOEXEC));
  if (!fd.valid()) return OsError{errno};
  const OsResult<bool> written = WriteAt(fd.get(), 0, bytes);
  unlink(path.c_str());
  return written;
}

}  // namespace forge::os
