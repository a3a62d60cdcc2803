// Fits the matches of many files into a text of bounded size.
//
// A ladder, richest rung first. A file looks like this on each rung:
//
//   kLines     src/a.c           kClipped   src/a.c
//              11-{                         12:5:…short…
//              12:5:int foo(void)
//   kNumbers   src/a.c: lines 12, 40, 41
//   kCounts    src/a.c: 3 matches
//
// All files start on the highest rung on which all of them fit. The remaining
// room lifts files, in order, rung by rung. So every file with a match is named
// before any file is shown in detail, and the room is used. If not even the
// counts fit, the text counts folders instead of files (kSummary).
//
// Pure: the text depends on the events and the room alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clip_line.h"
#include "forge/search.h"

namespace forge {

enum class Rung { kLines, kClipped, kNumbers, kCounts, kSummary };

inline constexpr std::size_t kMaxClippedLine = 120;  // on kClipped

struct Listing {
  std::string text;
  std::array<std::uint64_t, 5> files{};  // by rung: how many files it shows
  std::uint64_t clipped_lines = 0;       // lines of kLines that were longer than kMaxShownLine
  std::uint64_t unnamed_files = 0;       // kSummary only: files in folders that do not fit either

  std::uint64_t On(Rung rung) const { return files[static_cast<std::size_t>(rung)]; }
};

// `events` as in a response: grouped by file. `separators`: "--" where context
// leaves a gap. The text stays within `room` bytes, except for a single long
// path.
Listing ListEvents(const std::vector<Event>& events, bool separators, std::size_t room);

}  // namespace forge
