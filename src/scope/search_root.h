// An open search root: the only way from a relative path to a file's bytes.
//
// Without `follow`, a path with a symlink anywhere in it does not open. With
// it, the file is opened first and judged by where it really is, so that no
// exchange of folders and links between the check and the use can lead out.
//
// Thread-safe.
#pragma once

#include <string>

#include "os/file.h"
#include "scope/sandbox.h"

namespace forge {

class SearchRoot {
 public:
  // `folder` is canonical and admitted by `sandbox`, which must outlive this.
  static os::OsResult<SearchRoot> Open(const Sandbox& sandbox, const std::string& folder, bool follow);

  SearchRoot() = default;

  os::OsResult<os::Fd> OpenFile(const std::string& relative) const;

  int fd() const { return fd_.get(); }
  const std::string& folder() const { return folder_; }

 private:
  const Sandbox* sandbox_ = nullptr;
  std::string folder_;
  os::Fd fd_;
  bool follow_ = false;
};

}  // namespace forge
