// The folder for stored indexes, or why there is none.
//
// The folder is index_path; else $XDG_CACHE_HOME/forge/search-index, else
// ~/.cache/forge/search-index; without a home, a folder of this user in the
// temporary folder (FR-LSI-CACHE-ROOT-01). It must not lie in a searched tree,
// must not be denied, and must belong to this user alone: an index contains the
// names of files that others may not see. We never repair a wrong folder: if
// the user named it, its permissions are the user's decision.
//
//   CacheFolder folder = FindCacheFolder(request, environment);
//   if (folder.reason) keep the index in memory and say folder.message
//
// The path that is returned is canonical; nothing in it is a symlink.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "forge/index.h"
#include "scope/deny_list.h"

namespace forge::index {

struct CacheFolderRequest {
  std::string index_path;                // as configured; empty: the default
  std::string working_dir;               // absolute; a relative index_path starts there (F21)
  std::vector<std::string> index_roots;  // canonical
  const DenyList* denies = nullptr;      // null: nothing is denied
  bool allow_insecure = false;           // index_allow_insecure_persistence
};

struct CacheFolder {
  std::string path;                       // empty if there is none
  std::optional<StorageFallback> reason;  // why there is none
  std::string message;                    // for people: why, or a warning; empty if all is well
};

// Makes the folder if it is missing.
CacheFolder FindCacheFolder(const CacheFolderRequest& request, const Environment& environment);

// The path that would be used, before any check.
std::string ChosenCachePath(const CacheFolderRequest& request, const Environment& environment);

}  // namespace forge::index
