// The result of following a path: found inside the sandbox, and open.
//
// PathResolver makes a Target by following a path step by step, each step from
// the descriptor of the one before. A Target holds the descriptor that the last
// step reached, so later changes in the tree cannot change where it leads. Its
// path is text, for the answer, for the order and for questions to the index.
// No layer that has a Target can open that text.
#pragma once

#include <string>
#include <utility>

#include "os/file.h"

namespace forge {

class Target {
 public:
  Target() = default;  // leads to nothing

  // Where it is: absolute, canonical, no trailing slash (but for "/").
  const std::string& path() const { return path_; }
  os::FileType type() const { return type_; }  // kRegular, kDirectory or kOther
  bool is_folder() const { return type_ == os::FileType::kDirectory; }

  // The folder itself, or the folder of a file, as text.
  std::string folder() const;
  // Name of a file in its folder; empty for a folder.
  std::string name() const;

  os::OsResult<os::FileInfo> Stat() const;
  // Opens a file for reading; fails if it has become a link or another kind.
  os::OsResult<os::Fd> OpenFile() const;
  // Opens the folder, or the folder of a file, for reading.
  os::OsResult<os::Fd> OpenFolder() const;

 private:
  friend class PathResolver;
  Target(std::string path, os::FileType type, os::Fd folder)
      : path_(std::move(path)), type_(type), folder_(std::move(folder)) {}

  std::string path_;
  os::FileType type_ = os::FileType::kOther;
  os::Fd folder_;  // descriptor of folder()
};

}  // namespace forge
