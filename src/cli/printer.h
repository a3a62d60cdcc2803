// Prints matches for people, in ripgrep's form.
//
// With headings:          Without:
//   src/a.cc                src/a.cc-11-before
//   11-before               src/a.cc:12:the match
//   12:the match            --
//
// It prints only what the answer says. On a terminal it prints no byte that
// could control it: a file may contain escape sequences. Paths are shown as
// ShownName, so that a name cannot look like a line of results; with -0 and in
// --json they are as they are, and bytes that are not UTF-8 are so in any pipe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/spill.h"
#include "cli/colors.h"
#include "forge/search.h"

namespace forge::cli {

enum class ColorChoice { kAuto, kAlways, kNever };

struct Style {
  bool terminal = false;  // no bytes that could control a terminal
  bool color = false;
  Colors colors = {};
  bool heading = false;
  bool with_filename = true;
  bool line_numbers = true;
  bool column = false;
  bool byte_offset = false;
  std::optional<std::string> separator = {};  // between groups of lines
  std::string match_separator = ":";          // after each field
  std::string context_separator = "-";        // likewise, of context
  bool only_matching = false;                 // each match on a line of its own
  bool per_match = false;                     // the line once for each match
  bool replace = false;
  bool trim = false;
  bool null = false;  // NUL after a path
  std::optional<std::uint64_t> max_columns = {};
  bool preview = false;        // of longer lines
  bool knows_all = false;      // events have all their places
  std::string hyperlink = {};  // a format; "": none

  // Whether an event needs all its places.
  bool needs_every_match() const { return color || only_matching || per_match || replace; }
};

// Only kAuto follows NO_COLOR, CLICOLOR_FORCE and TERM=dumb.
bool UseColor(ColorChoice choice, bool terminal, const Environment& environment);

// Makes text; the caller writes it.
class Printer {
 public:
  explicit Printer(Style style) : style_(std::move(style)) {}

  // One line may have millions of matches, so there is a spill.
  void OnEvent(const Event& event, std::string& out, const Spill& spill = {});
  // A line of -c or -l; no count for a list of files.
  void OnFile(const std::string& path, std::optional<std::uint64_t> count, std::string& out);

 private:
  // A line and its matches, after replacement.
  struct Shown {
    std::string_view line;
    const Places& places;
    const Place* marked = nullptr;  // in colour; null: all
  };
  struct Replaced {
    std::string line;
    Places places;
  };

  void StartGroup(const Event& event, std::string& out);
  std::string NameOf(std::string_view path) const;
  const std::string& LastNameOf(std::string_view path);
  void AppendPath(std::string_view path, std::uint64_t line, std::uint64_t column, std::string& out);
  void AppendPosition(const Event& event, std::uint64_t column, std::uint64_t offset, std::string& out);
  void AppendLine(const Event& event, const Shown& shown, std::string& out, const Spill& spill) const;
  void AppendMatch(std::string_view text, std::string& out) const;
  bool AppendLong(const Event& event, const Shown& shown, std::string& out, const Spill& spill) const;
  void AppendMarked(const Shown& shown, std::size_t end, std::string& out, const Spill& spill) const;
  static Replaced Replace(const Event& event);
  void AppendText(std::string_view text, std::string& out) const;
  void AppendInColor(const ColorSpec& spec, std::string_view text, std::string& out) const;

  const Style style_;
  bool any_ = false;
  std::string path_;
  std::uint64_t line_number_ = 0;
  std::optional<std::string> named_;  // the path that name_ is for
  std::string name_;
};

}  // namespace forge::cli
