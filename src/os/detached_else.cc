#include <cerrno>

#include "os/detached.h"

// For the shared server, which is for Linux alone (local_socket_else.cc).
namespace forge::os {

OsResult<std::string> StartDetached(const DetachedProgram& /*program*/, const Deadline& /*deadline*/) {
  return OsError{ENOTSUP};
}

}  // namespace forge::os
