// Prints matches for people.
//
// On a terminal:          In a pipe:
//   src/a.cc                src/a.cc-11-before
//   11-before               src/a.cc:12:5:the match
//   12:the match            --
//
// It prints only what the answer says. On a terminal it prints no byte that
// could control it: a file may contain escape sequences. Paths are shown as
// ShownName in both forms, so that a name cannot look like a line of results;
// --json has them as they are.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/environment.h"
#include "forge/search.h"

namespace forge::cli {

enum class ColorChoice { kAuto, kAlways, kNever };

struct Style {
  bool terminal = false;  // headings, and no bytes that could control a terminal
  bool color = false;
  bool context = false;  // "--" between groups
};

// Only kAuto follows NO_COLOR, CLICOLOR_FORCE and TERM=dumb.
bool UseColor(ColorChoice choice, bool terminal, const Environment& environment);

class Printer {
 public:
  Printer(std::ostream& out, Style style) : out_(out), style_(style) {}

  void OnEvent(const Event& event);

 private:
  void StartGroup(const Event& event);
  void PrintPosition(const Event& event);
  void PrintLine(const Event& event);
  void Colored(std::string_view code, std::string_view text);
  std::string Shown(std::string_view line) const;

  std::ostream& out_;
  Style style_;
  bool any_ = false;
  std::string path_;
  std::uint64_t line_number_ = 0;
};

}  // namespace forge::cli
