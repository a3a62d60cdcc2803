#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "os/private_file.h"

namespace forge::os {

OsResult<bool> TryWriting(const std::string& folder, std::size_t size) {
  std::string path = folder + "/probe.XXXXXX";
  const Fd fd(mkostemp(path.data(), O_CLOEXEC));
  if (!fd.valid()) return OsError{errno};
  const OsResult<bool> written = WriteAt(fd.get(), 0, std::string(size, 'x'));
  unlink(path.c_str());
  return written;
}

}  // namespace forge::os
