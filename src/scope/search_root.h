// An open search root, and the only way from a relative path to a file's bytes.
//
// Without `follow`, a path with a symlink anywhere in it does not open. With it,
// links are followed step by step from the root's descriptor, and the file must
// turn out to lie inside the sandbox (Sandbox::Follow). Either way, no exchange
// of folders and links between a check and its use can lead out.
//
// Thread-safe.
#pragma once

#include <string>

#include "os/file.h"
#include "scope/sandbox.h"

namespace forge {

class SearchRoot {
 public:
  // The folder, or the folder of a file. `sandbox` must outlive this.
  static os::OsResult<SearchRoot> Open(const Sandbox& sandbox, const Target& target, bool follow);
  // The folder that is physically at `folder`, a canonical path. EXDEV if
  // `sandbox` does not admit it.
  static os::OsResult<SearchRoot> Open(const Sandbox& sandbox, const std::string& folder, bool follow);

  SearchRoot() = default;

  int fd() const { return fd_.get(); }
  const std::string& folder() const { return folder_; }
  const Sandbox& sandbox() const { return *sandbox_; }
  os::Fd TakeFd() && { return std::move(fd_); }

 private:
  friend class FileOpener;
  static os::OsResult<SearchRoot> Make(const Sandbox& sandbox, std::string folder, os::OsResult<os::Fd> fd,
                                       bool follow);

  const Sandbox* sandbox_ = nullptr;
  std::string folder_;
  os::Fd fd_;
  bool follow_ = false;
};

// Opens files of a root, one after the other. Files come in order, so the next
// one is usually in the same folder as the last. This class keeps that folder
// open, and a file costs the look-up of one name. Each thread has its own.
class FileOpener {
 public:
  explicit FileOpener(const SearchRoot& root) : root_(root) {}
  // `few`: we probably need only some files of this folder, so that opening it does not
  // pay. It is opened all the same after some of them.
  os::OsResult<os::Fd> Open(const std::string& relative, bool few = false);

  // The state of the file that Open would open. Without `follow` it opens no
  // file: opening may have an effect on what is not a regular file.
  os::OsResult<os::FileInfo> Stat(const std::string& relative);

  // Whether a short read of the file opened last is known to mean its end.
  bool short_read_is_end() const { return short_read_is_end_; }

 private:
  os::OsResult<os::Fd> OpenPlain(const std::string& relative, bool few);
  os::OsResult<os::Fd> OpenThroughLinks(const std::string& relative) const;

  const SearchRoot& root_;
  std::string folder_;  // path of the last file's folder
  os::Fd folder_fd_;
  int opened_whole_ = 0;  // files of it, by their whole path
  bool short_read_is_end_ = false;
};

}  // namespace forge
