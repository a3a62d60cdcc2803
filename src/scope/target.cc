#include "scope/target.h"

#include "base/path.h"

namespace forge {

std::string Target::folder() const { return is_folder() ? path_ : std::string(ParentPath(path_)); }

std::string Target::name() const { return is_folder() ? "" : path_.substr(path_.rfind('/') + 1); }

os::OsResult<os::FileInfo> Target::Stat() const {
  return is_folder() ? os::Stat(folder_.get()) : os::StatEntry(folder_.get(), name());
}

os::OsResult<os::Fd> Target::OpenFile() const { return os::OpenEntry(folder_.get(), name().c_str()); }

os::OsResult<os::Fd> Target::OpenFolder() const { return os::OpenFolderBeneath(folder_.get(), ""); }

}  // namespace forge
