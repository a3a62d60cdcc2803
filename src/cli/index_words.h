// The index in words that a person knows. Programs get the names of states and
// phases, in --json.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "forge/index.h"

namespace forge::cli {

// "ready; each command checks the tree first"
std::string StateInWords(const IndexStatus& status);

// Why a search would go without it: "any file could match the pattern"
std::string BypassInWords(const BypassReason& reason);

// "9.1 MB"
std::string BytesInWords(std::uint64_t bytes);

// One line about a build, of at most so many columns:
//   reading 1200 of 8224 files, 2 s left, 95.0 MB/s
class BuildWords {
 public:
  std::string Line(const IndexStatus& status, std::size_t columns);

 private:
  struct PaceWords {
    std::string left;
    std::string speed;
  };
  PaceWords Pace(const IndexStatus& status) const;

  // Where the reading began: a build that is resumed has done a part before.
  struct Start {
    std::uint64_t bytes = 0;
    std::chrono::milliseconds elapsed{};
  };
  std::optional<Start> start_;
};

// "2 files", "1,200 files".
std::string CountInWords(std::uint64_t number, std::string_view noun);

}  // namespace forge::cli
