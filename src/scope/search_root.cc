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

os::OsResult<os::Fd> SearchRoot::OpenFile(const std::string& relative) const {
  if (!follow_) return os::OpenBeneath(fd_.get(), relative);
  auto fd = os::OpenFollowing(fd_.get(), relative, false);
  if (!fd.ok()) return fd;
  const auto real = os::RealPath(fd->get());
  if (!real.ok()) return real.error();
  if (!sandbox_->Admits(*real, false)) return os::OsError{EXDEV};
  return fd;
}

}  // namespace forge
