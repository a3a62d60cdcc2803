// One folder of a walk: what we know before we list it, and its listing.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "os/file.h"
#include "tree/ignore_scope.h"

namespace forge {

struct Folder;
using FolderPtr = std::shared_ptr<Folder>;

// A folder by identity, with the folders that lead to it. Kept only when links
// are followed, to end loops.
struct Ancestor {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::shared_ptr<const Ancestor> parent;
};

// One entry that the stream will show, or a folder that it will enter.
struct Item {
  enum class Kind : std::uint8_t { kFile, kError, kDenied, kFolder };

  // Members that few items need.
  struct Extra {
    std::string key;  // sort key, if it is not the name itself
    std::string error;
    FolderPtr folder;
    os::FileInfo info;  // state of a file, if asked for
  };

  std::string name;
  std::unique_ptr<Extra> extra;
  Kind kind = Kind::kFile;
  bool is_folder = false;

  std::string_view key() const { return extra && !extra->key.empty() ? extra->key : name; }
};

// The order of siblings in the stream. A folder stands where its content
// stands, so its key counts with a '/' at the end.
bool ComesBefore(const Item& a, const Item& b);

// Two folders with equal keys: their contents interleave.
bool MustMerge(const Item& a, const Item& b);

struct Folder {
  // Known from the start.
  std::string path;  // relative to the search root
  ScopePtr scope;    // rules of the parent; null after listing, and without ignore rules
  std::shared_ptr<const Ancestor> ancestor;
  std::string real;         // where it really is, if a symlink was followed on the way here
  bool included = false;    // by an include pattern that ends in '/'
  bool repository = false;  // is one; known after listing, if there are ignore rules

  // The listing.
  std::string error;      // could not be listed
  bool complete = false;  // else the time was over
  std::vector<Item> items;

  // Used by FolderQueue.
  enum class State : std::uint8_t { kPending, kTaken, kListed };
  State state = State::kPending;
  std::list<FolderPtr>::iterator place;
};

}  // namespace forge
