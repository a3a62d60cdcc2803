#include "scope/search_root.h"

#include <cerrno>
#include <utility>

namespace forge {
namespace {

// To open a folder, to ask its file system and to close it costs what some eight files
// save by it. With 4, 8 and 16, searches took the same time.
constexpr int kFew = 4;

}  // namespace

os::OsResult<SearchRoot> SearchRoot::Make(const Sandbox& sandbox, std::string folder, os::OsResult<os::Fd> fd,
                                          bool follow) {
  if (!fd.ok()) return fd.error();
  SearchRoot root;
  root.sandbox_ = &sandbox;
  root.folder_ = std::move(folder);
  root.fd_ = std::move(*fd);
  root.follow_ = follow;
  return root;
}

os::OsResult<SearchRoot> SearchRoot::Open(const Sandbox& sandbox, const Target& target, bool follow) {
  return Make(sandbox, target.folder(), target.OpenFolder(), follow);
}

os::OsResult<SearchRoot> SearchRoot::Open(const Sandbox& sandbox, const std::string& folder, bool follow) {
  if (!sandbox.Admits(folder, true)) return os::OsError{EXDEV};
  const auto place = os::OpenExactFolder(folder);
  if (!place.ok()) return place.error();
  return Make(sandbox, folder, os::OpenFolderBeneath(place->get(), ""), follow);
}

os::OsResult<os::Fd> FileOpener::Open(const std::string& relative, bool few) {
  auto fd = OpenPlain(relative, few);
  if (fd.ok() || !root_.follow_ || fd.error().code != ELOOP) return fd;
  short_read_is_end_ = false;
  return OpenThroughLinks(relative);
}

os::OsResult<os::Fd> FileOpener::OpenPlain(const std::string& relative, bool few) {
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
    if (!same_folder) opened_whole_ = 0;
    if (few && ++opened_whole_ <= kFew) {
      if (auto fd = os::OpenBeneath(root_.fd(), relative); fd.ok()) return fd;
      // The path may be too long although the path of its folder is not. And
      // errors must read as they do for other files.
    }
    auto folder = os::OpenFolderBeneath(root_.fd(), folder_);
    if (!folder.ok()) return folder.error();
    folder_fd_ = std::move(*folder);
    short_read_is_end_ = os::ShortReadIsEnd(folder_fd_.get());
  }
  return os::OpenEntry(folder_fd_.get(), relative.c_str() + slash + 1);
}

os::OsResult<os::FileInfo> FileOpener::Stat(const std::string& relative) {
  if (root_.follow_) {
    const auto fd = Open(relative);
    return fd.ok() ? os::Stat(fd->get()) : fd.error();
  }
  const std::size_t slash = relative.rfind('/');
  if (slash == std::string::npos) return os::StatEntry(root_.fd(), relative);
  if (!folder_fd_.valid() || relative.compare(0, slash, folder_) != 0) {
    auto folder = os::OpenFolderBeneath(root_.fd(), relative.substr(0, slash));
    if (!folder.ok()) return folder.error();
    folder_.assign(relative, 0, slash);
    folder_fd_ = std::move(*folder);
    short_read_is_end_ = os::ShortReadIsEnd(folder_fd_.get());
  }
  return os::StatEntry(folder_fd_.get(), relative.substr(slash + 1));
}

os::OsResult<os::Fd> FileOpener::OpenThroughLinks(const std::string& relative) const {
  const auto target = root_.sandbox_->Follow(root_.folder_, root_.fd(), relative);
  if (!target.ok()) return target.error();
  return target->OpenFile();
}

}  // namespace forge
