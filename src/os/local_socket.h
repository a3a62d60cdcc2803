// Streams between processes of one user on one machine (R10).
//
//   auto listener = LocalListener::Open(folder, "server");
//   auto stream = LocalStream::Connect(folder, "server", Deadline::After(500));
//   if (!stream.ok()) ...   // EPERM: the other process is not ours to talk to
//
// The socket is a file in a folder that belongs to this user alone (0700); we
// refuse any other folder (EACCES). Each end also asks the kernel who the other
// end is. It must have the same user, and it must see files as we do: same
// groups and capabilities, same mounts and root folder, same system call filter
// or none. A process in a container or a sandbox sees another tree under the
// same names, so an answer of a process outside would be wrong there, or would
// show what the sandbox hides.
//
// There is no TCP here, and no abstract socket: those have no owner.
//
// The kernel's word about the other end is from the time at which it connected or
// listened. The rest is read from /proc by the process's number; a number that
// was given to another process of the same user in between is not noticed.
//
// A stream may be read by one thread while another writes. A system without
// these sockets answers ENOTSUP to Open and Connect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/deadline.h"
#include "os/file.h"

namespace forge::os {

class LocalStream {
 public:
  // `folder` is absolute. ENOENT, ECONNREFUSED: no process listens there.
  static OsResult<LocalStream> Connect(const std::string& folder, const std::string& name, const Deadline& deadline);

  LocalStream() = default;

  // Reads at least one byte. 0: the other end has closed. ETIMEDOUT at the
  // deadline, ECANCELED when it is cancelled.
  OsResult<std::size_t> Read(char* buffer, std::size_t size, const Deadline& deadline) const;
  // Writes all of it, or fails: EPIPE if the other end is gone, else as Read.
  OsResult<bool> Write(std::string_view bytes, const Deadline& deadline) const;

  // Ends both directions, also for a thread that waits in Read or Write.
  void Shutdown() const;

  // The number of the process at the other end.
  std::int64_t peer() const { return peer_; }
  bool valid() const { return fd_.valid(); }

 private:
  friend class LocalListener;
  LocalStream(Fd fd, std::int64_t peer) : fd_(std::move(fd)), peer_(peer) {}
  static OsResult<LocalStream> Checked(Fd fd);

  Fd fd_;
  std::int64_t peer_ = 0;
};

class LocalListener {
 public:
  // Makes the folder. Replaces a socket of this name that a dead process has left. The caller makes
  // sure that no living one uses it (os/file_lock.h).
  static OsResult<LocalListener> Open(const std::string& folder, const std::string& name);

  LocalListener() = default;
  LocalListener(LocalListener&&) noexcept = default;
  LocalListener& operator=(LocalListener&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(folder_, other.folder_);
    std::swap(fd_, other.fd_);
    std::swap(name_, other.name_);
    return *this;
  }
  ~LocalListener();  // removes the socket

  // The next process that connects. EPERM: one that we do not talk to; it was
  // sent away. ETIMEDOUT, ECANCELED: as LocalStream::Read.
  OsResult<LocalStream> Accept(const Deadline& deadline) const;

  // Whether a client that looks in the folder still finds this socket there.
  bool IsReachable() const;

 private:
  std::string path_;  // of the folder
  Fd folder_;
  Fd fd_;
  std::string name_;
};

// Whether the process sees files as this one does. False also if we may not look.
bool SeesWhatWeSee(std::int64_t process);

// Makes a folder for sockets and locks if it is missing. EACCES: it is not this
// user's alone.
OsResult<bool> MakeOwnFolder(const std::string& absolute);

}  // namespace forge::os
