#include "index/store/cache_folder.h"

#include <cerrno>

#include "base/path.h"
#include "index/store/sqlite.h"
#include "index/store/store_errors.h"
#include "os/file.h"
#include "os/home.h"
#include "os/named_file.h"
#include "os/private_file.h"

namespace forge::index {
namespace {

CacheFolder Refused(StorageFallback reason, std::string message) { return {"", reason, std::move(message)}; }

StorageFallback ReasonOf(const os::OsError& error, StorageFallback otherwise) {
  if (IsOutOfSpace(error.code)) return StorageFallback::kDiskFull;
  switch (error.code) {
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP: return StorageFallback::kPermissionDenied;
    default: return otherwise;
  }
}

CacheFolder Failed(std::string_view what, const std::string& path, const os::OsError& error) {
  return Refused(ReasonOf(error, StorageFallback::kNotCreatable),
                 std::string(what) + " " + path + ": " + error.message() + "; set index_path to a folder of your own");
}

// Follows symlinks in all but the last component, as far as folders exist.
std::string Resolved(const std::string& path) {
  return JoinPath(os::ResolvedPath(std::string(ParentPath(path))), LastName(path));
}

std::optional<CacheFolder> CheckLocation(const CacheFolderRequest& request, const std::string& path) {
  for (const std::string& root : request.index_roots) {
    if (!IsWithin(path, root)) continue;
    return Refused(StorageFallback::kInsideIndexRoot, "the index folder " + path + " lies in the searched folder " +
                                                          root + "; set index_path to a folder outside");
  }
  if (request.denies != nullptr && request.denies->Denies(path, true)) {
    return Refused(StorageFallback::kDeniedPattern,
                   "the index folder " + path + " matches a denied pattern; set index_path to another");
  }
  return std::nullopt;
}

// Whether the folder is this user's alone. A folder of another user is always refused:
// its owner could exchange the files while we use them (F20).
CacheFolder CheckAccess(const CacheFolderRequest& request, const std::string& path, int fd) {
  const os::OsResult<os::Access> access = os::AccessOf(fd);
  if (!access.ok()) return Failed("cannot read the permissions of", path, access.error());
  if (access->owner != os::EffectiveUser()) {
    return Refused(StorageFallback::kPermissionDenied,
                   "the index folder " + path + " belongs to another user; set index_path to a folder of your own");
  }
  if (access->permissions == os::kPrivateFolder) return {path, std::nullopt, ""};
  const std::string open = "other users may have access to the index folder " + path;
  if (request.allow_insecure) return {path, std::nullopt, open + "; index_allow_insecure_persistence permits it"};
  return Refused(StorageFallback::kPermissionDenied, open + "; run chmod 700 on it, or set index_path to another");
}

CacheFolder Open(const CacheFolderRequest& request, const std::string& path) {
  const os::OsResult<bool> made = os::MakePrivateFolder(path);
  if (!made.ok()) return Failed("cannot make the index folder", path, made.error());
  const os::OsResult<os::Fd> fd = os::OpenFolderItself(path);
  if (!fd.ok()) return Failed("cannot open the index folder", path, fd.error());
  const os::OsResult<std::string> real = os::RealPath(fd->get());
  if (!real.ok()) return Failed("cannot resolve the index folder", path, real.error());
  // Check the real path too: a parent may have been exchanged meanwhile.
  if (std::optional<CacheFolder> refused = CheckLocation(request, *real)) return *refused;
  CacheFolder folder = CheckAccess(request, *real, fd->get());
  if (folder.reason) return folder;
  const os::OsResult<bool> written = os::TryWriting(*real);
  if (!written.ok()) return Failed("cannot write to the index folder", *real, written.error());
  return folder;
}

}  // namespace

std::string ChosenCachePath(const CacheFolderRequest& request, const Environment& environment) {
  if (!request.index_path.empty()) return NormalPath(PathFrom(request.working_dir, OwnForm(request.index_path)));
  if (const std::string cache = os::UserCacheFolder(environment); !cache.empty()) {
    return NormalPath(cache + "/forge/search-index");
  }
  const std::string own = "forge-search-" + std::to_string(os::EffectiveUser());
  return NormalPath(JoinPath(os::TemporaryFolder(environment), own));
}

CacheFolder FindCacheFolder(const CacheFolderRequest& request, const Environment& environment) {
  if (const std::string problem = SqliteProblem(); !problem.empty()) {
    return Refused(StorageFallback::kUnsupportedSqlite, problem);
  }
  const std::string named = ChosenCachePath(request, environment);
  if (std::optional<CacheFolder> refused = CheckLocation(request, named)) return *refused;
  const std::string path = Resolved(named);
  if (std::optional<CacheFolder> refused = CheckLocation(request, path)) return *refused;
  return Open(request, path);
}

}  // namespace forge::index
