#include <cerrno>
#include <cstring>

#include "os/file.h"

namespace forge::os {

std::string OsError::message() const {
  switch (code) {
    // Refusing a symlink is ELOOP; the text must say what that means here.
    case ELOOP: return "is a symbolic link, or lies behind one";
    case EXDEV: return "leads outside the search root";
    case ECHILD: return "its exit status is lost, because SIGCHLD is ignored";
    default: return std::strerror(code);
  }
}

}  // namespace forge::os
