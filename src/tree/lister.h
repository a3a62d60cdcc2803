// Lists one folder: what is eligible in it, in order.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "os/file.h"
#include "scope/search_root.h"
#include "tree/folder.h"
#include "tree/git_excludes.h"
#include "tree/walk.h"

namespace forge {

// Thread-safe: different folders may be listed at the same time.
class Lister {
 public:
  // All must outlive this.
  Lister(const SearchRoot& root, const WalkOptions& options, const Deadline& deadline);

  FolderPtr MakeRoot();

  // The folder at `relative`, ready to be listed: with the rules that reach it
  // from its parents. The caller knows that it is eligible. Null if it is not
  // there. What could not be read on the way is among its items, as errors.
  FolderPtr Descend(const std::string& relative);

  // Fills the listing of `folder`. A folder that is gone gets an empty one.
  // Ends early when `stop` becomes true or the deadline is over: then the folder
  // is not complete.
  void List(Folder& folder, const std::atomic<bool>& stop);

  // Whether the root belongs to a repository. Known when the root is listed, if
  // there are ignore rules.
  bool root_in_repository() const { return root_in_repository_; }

  std::uint64_t folders_listed() const { return folders_listed_; }
  std::vector<std::string> rule_inputs() const { return excludes_ ? excludes_->inputs() : std::vector<std::string>(); }
  std::vector<std::string> rule_files() const { return excludes_ ? excludes_->files() : std::vector<std::string>(); }

 private:
  struct Found;    // one entry on its way through the filters
  struct Context;  // the folder being listed

  os::OsResult<os::Fd> Open(const Folder& folder) const;
  bool IsLoop(Context& context, int fd) const;
  bool ListEntries(Context& context, Pace& pace);
  std::vector<os::DirEntry> RuleFiles(Context& context) const;
  void EnterScope(Context& context, const std::vector<os::DirEntry>& entries);
  void AddErrors(Context& context, const std::vector<IgnoreFileError>& errors) const;
  void Add(Context& context, os::DirEntry& entry) const;
  void NoteLeftOut(Context& context, const os::DirEntry& entry, LeftOutBy by) const;
  bool Follow(const Context& context, Found& found) const;
  static os::OsResult<os::FileInfo> StatFound(const Context& context, const Found& found);
  Eligibility JudgeFound(const Context& context, const Found& found) const;
  FolderPtr Child(const Context& context, const Found& found) const;

  const SearchRoot& root_;
  const Sandbox& sandbox_;
  const WalkOptions& options_;
  const Deadline& deadline_;
  EligibilityRules with_hidden_;           // options_.rules, to judge hidden entries that are noted
  std::unique_ptr<GitExcludes> excludes_;  // null: no ignore rules
  std::vector<IgnoreFileError> errors_above_;
  std::atomic<bool> root_in_repository_ = false;
  std::atomic<std::uint64_t> folders_listed_ = 0;
};

}  // namespace forge
