#include "scope/search_root.h"

#include <cerrno>
#include <utility>

namespace forge {

os::OsResult<SearchRoot> SearchRoot::Open(const Sandbox& sandbox, const std::string& folder, bool follow) {
  auto fd = os::OpenFolder(folder);
  if (!fd.ok()) return fd.error();
  SearchRoot root;
  root.sandbox_ = &sandbox;
  root.folder_ = folder;
  root.fd_ = std::move(*fd);
  root.follow_ = follow;
  return root;
}

os::OsResult<os::Fd> FileOpener::Open(const std::string& relative, bool alone) {
  if (root_.follow_) return OpenAnywhere(relative);
  const std::size_t slash = relative.rfind('/');
  if (slash == std::string::npos) {
    folder_fd_.Reset();
    short_read_is_end_ = os::ShortReadIsEnd(root_.fd());
    return os::OpenEntry(root_.fd(), relative.c_str());
  }
  const bool same_folder = relative.compare(0, slash, folder_) == 0;
  if (!same_folder || !folder_fd_.valid()) {
    folder_fd_.Reset();
    folder_.assign(relative, 0, slash);
    short_read_is_end_ = false;
    if (alone && !same_folder) {
      if (auto fd = os::OpenBeneath(root_.fd(), relative); fd.ok()) return fd;
      // A path may be too long while its folder's is not. And whatever is wrong, it
      // is to be said as for any other file.
    }
    auto folder = os::OpenFolderBeneath(root_.fd(), folder_);
    if (!folder.ok()) return folder.error();
    folder_fd_ = std::move(*folder);
    short_read_is_end_ = os::ShortReadIsEnd(folder_fd_.get());
  }
  return os::OpenEntry(folder_fd_.get(), relative.c_str() + slash + 1);
}

os::OsResult<os::Fd> FileOpener::OpenAnywhere(const std::string& relative) const {
  auto fd = os::OpenFollowing(root_.fd(), relative, false);
  if (!fd.ok()) return fd;
  const auto real = os::RealPath(fd->get());
  if (!real.ok()) return real.error();
  if (!root_.sandbox_->Admits(*real, false)) return os::OsError{EXDEV};
  return fd;
}

}  // namespace forge
