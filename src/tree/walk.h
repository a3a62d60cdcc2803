// The eligible files E, in order, as a stream.
//
// Order: sort key of the path (lossy UTF-8, NFC), then raw bytes (D1), compared
// as whole paths: "a-b" < "a/x" because '-' < '/'. Siblings are therefore
// sorted with a '/' appended to folders, and sibling folders whose keys are
// equal (NFC and NFD spellings of one name) are merged as one.
//
// The walk is lazy: workers list folders ahead of the reader within a bounded
// window, and stop when the reader does. So a search that fills max_results in
// the first files costs a few folders, not the tree.
//
// Entries that are not searched are part of the stream too, at their place in
// the order: an unreadable folder, a denied entry, a broken link (with follow),
// an ignore file that cannot be used. A folder stands where its content would
// stand. Problems with ignore rules from above the root come first, with an
// empty path.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "os/file.h"
#include "scope/search_root.h"
#include "tree/eligibility.h"
#include "tree/git_config.h"
#include "tree/left_out.h"

namespace forge {

struct WalkOptions {
  EligibilityRules rules = {};
  int threads = 0;  // including the reader's own; 0: as many as there are cores, at most 8
  std::shared_ptr<const GitEnvironment> git = {};  // null: the process environment
  bool stat = false;                               // entries of files come with their state
  // Called with each folder, open, and its absolute path before it is listed, on
  // any thread: a watch that begins then misses nothing that the listing does not
  // show.
  std::function<void(int folder, const std::string& path)> before_listing = {};
  LeftOutList* left_out = nullptr;  // notes what is hidden or ignored; must outlive the walk
};

struct WalkEntry {
  enum class Kind {
    kFile,    // eligible; nothing but its name is known yet
    kError,   // could not be listed or followed; `error` says why
    kDenied,  // a deny pattern matches; the walk does not go below it
  };
  Kind kind = Kind::kFile;
  std::string path;  // relative to the search root, raw bytes, no "./"
  std::string error;
  bool is_folder = false;
  os::FileInfo info = {};  // for a file, with WalkOptions::stat; links is 0 if stat failed
};

// Reads one tree once. Not thread-safe; destroy it to stop the workers.
class Walk {
 public:
  // `root` must outlive the walk. Ignore rules and `hidden` do not apply to the
  // root itself.
  Walk(const SearchRoot& root, WalkOptions options, Deadline deadline);
  ~Walk();
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  // The next entry; false at the end, or when the deadline is over (then
  // timed_out() is true and the stream so far is a prefix of the whole).
  bool Next(WalkEntry& entry);
  bool timed_out() const;

  // How many folders were listed so far, including those ahead of the reader.
  std::uint64_t folders_listed() const;

  // Files that the ignore rules of the folders listed so far depend on, and
  // that do not lie in those folders, or can be written to from elsewhere: absolute
  // paths in order, also of files that do not exist.
  std::vector<std::string> rule_inputs() const;
  // The ignore files in those folders, likewise.
  std::vector<std::string> rule_files() const;
  // Folders below the root that hold a repository of their own. Only known with
  // ignore rules, as is the next.
  std::vector<std::string> repositories() const;
  // Whether the root is in a repository, or is one.
  bool root_in_repository() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forge
