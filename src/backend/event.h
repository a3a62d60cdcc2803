// From a line of a scanned text to an event of the answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/deadline.h"
#include "base/text_room.h"
#include "forge/search.h"
#include "match/scan.h"

namespace forge {

// What an event says beyond the line and its first match.
struct EventDetail {
  bool every_match = false;
  bool exact_bytes = false;
  std::optional<std::string> replacement = {};
  bool inverted = false;  // the pattern matches the context, and not the lines that count
};

// False at the deadline: a line may have many megabytes, and millions of matches.
// `matcher` is the one that found the line. The path is left to the caller.
bool ToEvent(const LineEvent& line, const EventDetail& detail, LineMatcher& matcher, const Deadline& deadline,
             TextRoom& room, Event& event);

// How many matches it counts for: none if it is context.
std::uint64_t MatchesIn(const Event& event);

// What was not searched because it was too complex; "" if that is nothing.
std::string ProblemOf(const ScanResult& result);

// What the event takes in memory, about.
std::size_t BytesOf(const Event& event);

}  // namespace forge
