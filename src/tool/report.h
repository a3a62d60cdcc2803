// A report about an installation and its trees, for a bug: what we need to make
// the same situation again, and nothing that is the user's (docs/testing.md).
//
// It holds no path, no name, no text and no pattern: counts, sizes, versions,
// switches. A value of the configuration that a user could have written freely is
// given by its length alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "forge/engine.h"
#include "tool/write.h"

namespace forge::tool {

// The shape of one root.
struct TreeShape {
  std::uint64_t files = 0;     // that a search with hidden and no_ignore meets
  std::uint64_t eligible = 0;  // that a plain search meets
  std::uint64_t folders = 0;   // with such a file in them
  std::uint64_t hidden = 0;    // files with a name, or in a folder, that begins with a dot
  std::uint64_t not_utf8 = 0;  // names
  std::uint64_t ignore_files = 0;
  std::uint64_t denied = 0;  // files or folders
  std::uint64_t errors = 0;  // files or folders that could not be read
  std::uint64_t longest_path = 0;
  std::map<std::uint64_t, std::uint64_t> by_depth;  // files; 1: in the root
  std::map<std::uint64_t, std::uint64_t> by_size;   // files of at most so many bytes: 0, 1, 2, 4, 8, ...
  bool complete = false;                            // every file was counted

  void Count(const std::string& path, std::uint64_t bytes);
};

struct Setting {
  std::string key;
  std::string value;   // as TOML; free text as its length
  std::string origin;  // "file", "environment", ...
};

struct BugReport {
  std::string system;
  std::uint64_t processors = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t watches = 0;
  std::vector<Setting> settings;  // that are not the default
  std::vector<BackendReport> backends;
  std::vector<IndexStatus> indexes;
  std::string server;
  std::vector<TreeShape> trees;  // one for each root
};

Document ToDocument(const BugReport& report);

}  // namespace forge::tool
