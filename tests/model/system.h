// The program in one of the ways in which it is used, as the model test sees it.
//
// All ways answer a request with a document of the tool, as text, without its
// stats; a session's also without its text for models. A way that has an index
// reads and writes the same cache folder as the others, so a step may change the
// way and find what another one stored.
#pragma once

#include <memory>
#include <string>

#include "forge/search.h"
#include "tests/testing/seed.h"

namespace forge::testing {

enum class WayIn { kInProcess, kMcp, kSharedServer };

struct Setting {
  WayIn way = WayIn::kInProcess;
  std::string backend = "native";
  std::string storage = "memory";
  std::string structure = "postings";
  bool hidden = false;     // of the index
  bool no_ignore = false;  // of the index
  std::string denied = ".none";
  std::uint64_t max_file_size = 2'000'000;
  std::uint64_t text_cache_bytes = 0;
};

Setting RandomSetting(Random& random);
std::string Describe(const Setting& setting);

struct Folders {
  std::string tree;
  std::string home;   // and the sockets of a server
  std::string cache;  // of stored indexes
};

class System {
 public:
  virtual ~System() = default;

  // "" if there was no answer at all.
  virtual std::string Answer(const SearchRequest& request) = 0;
  // Waits until the index is complete, for a while: then answers depend on it. True
  // if it is.
  virtual bool Settle() = 0;
  // Ends a part of it by kill -9, in the middle of its work.
  virtual void Kill(Random& random) = 0;
};

// With an index.
std::unique_ptr<System> MakeSystem(const Setting& setting, const Folders& folders);
// Without an index and without a server.
std::unique_ptr<System> MakeReference(const Setting& setting, const Folders& folders);

}  // namespace forge::testing
