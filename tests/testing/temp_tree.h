// A temporary folder for one test, removed with it.
#pragma once

#include <string>
#include <string_view>

namespace forge::testing {

class TempTree {
 public:
  // Where tests with very many files have them: in memory, if the system has such a
  // file system.
  enum class Place { kAnywhere, kInMemory };

  explicit TempTree(Place place = Place::kAnywhere);
  ~TempTree();
  TempTree(const TempTree&) = delete;
  TempTree& operator=(const TempTree&) = delete;

  const std::string& root() const { return root_; }  // canonical
  std::string Path(std::string_view relative) const;

  // Makes missing parents.
  void Write(std::string_view relative, std::string_view content) const;
  void MakeFolder(std::string_view relative) const;
  void Link(std::string_view target, std::string_view relative) const;  // symlink
  void Remove(std::string_view relative) const;
  std::string Read(std::string_view relative) const;

 private:
  std::string root_;
};

}  // namespace forge::testing
