#include <cerrno>

#include "os/local_socket.h"
#include "os/private_file.h"

// Other systems have sockets with a name too, but do not say enough about the
// process at the other end, and an index must not be shared with one that may not read what
// we read. So there is no shared server here: each process has its own engine.
namespace forge::os {

bool SeesWhatWeSee(std::int64_t /*process*/) { return false; }

OsResult<bool> MakeOwnFolder(const std::string& absolute) {
  const OsResult<bool> made = MakePrivateFolder(absolute);
  return made.ok() ? OsResult<bool>(true) : made;
}

OsResult<LocalStream> LocalStream::Checked(Fd /*fd*/) { return OsError{ENOTSUP}; }

OsResult<LocalStream> LocalStream::Connect(const std::string& /*folder*/, const std::string& /*name*/,
                                           const Deadline& /*deadline*/) {
  return OsError{ENOTSUP};
}

OsResult<std::size_t> LocalStream::Read(char* /*buffer*/, std::size_t /*size*/, const Deadline& /*deadline*/) const {
  return OsError{ENOTSUP};
}

OsResult<bool> LocalStream::Write(std::string_view /*bytes*/, const Deadline& /*deadline*/) const {
  return OsError{ENOTSUP};
}

void LocalStream::Shutdown() const {}

OsResult<LocalListener> LocalListener::Open(const std::string& /*folder*/, const std::string& /*name*/) {
  return OsError{ENOTSUP};
}

LocalListener::~LocalListener() = default;

OsResult<LocalStream> LocalListener::Accept(const Deadline& /*deadline*/) const { return OsError{ENOTSUP}; }

bool LocalListener::IsReachable() const { return false; }

}  // namespace forge::os
