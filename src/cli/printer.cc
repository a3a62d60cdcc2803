#include "cli/printer.h"

#include <ostream>

#include "base/strings.h"

namespace forge::cli {
namespace {

constexpr std::string_view kPathColor = "35";
constexpr std::string_view kLineColor = "32";
constexpr std::string_view kMatchColor = "1;31";

// Where match_text stands in the line. The column counts bytes of the file, but
// the line is decoded, so after a byte that was not UTF-8 it may be off.
std::size_t MatchStart(const Event& event) {
  const std::size_t start = event.column - 1;
  if (start <= event.line.size() && event.line.compare(start, event.match_text.size(), event.match_text) == 0) {
    return start;
  }
  return event.line.find(event.match_text);
}

}  // namespace

bool UseColor(ColorChoice choice, bool terminal, const Environment& environment) {
  if (choice != ColorChoice::kAuto) return choice == ColorChoice::kAlways;
  if (!environment.Get("NO_COLOR").empty()) return false;
  const std::string force = environment.Get("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return terminal && environment.Get("TERM") != "dumb";
}

void Printer::OnEvent(const Event& event) {
  StartGroup(event);
  PrintPosition(event);
  PrintLine(event);
  out_ << '\n';
}

void Printer::StartGroup(const Event& event) {
  const bool new_file = !any_ || event.path != path_;
  const bool gap = any_ && (new_file || event.line_number != line_number_ + 1);
  if (style_.terminal && new_file) {
    if (any_) out_ << '\n';
    Colored(kPathColor, ShownName(event.path));
    out_ << '\n';
  } else if (style_.context && gap) {
    out_ << "--\n";
  }
  any_ = true;
  path_ = event.path;
  line_number_ = event.line_number;
}

void Printer::PrintPosition(const Event& event) {
  const bool match = event.type == Event::Type::kMatch;
  const char separator = match ? ':' : '-';
  if (!style_.terminal) {
    Colored(kPathColor, ShownName(event.path));
    out_ << separator;
  }
  Colored(kLineColor, std::to_string(event.line_number));
  out_ << separator;
  if (match && !style_.terminal) out_ << event.column << ':';
}

void Printer::PrintLine(const Event& event) {
  const std::string_view line = event.line;
  const bool match = event.type == Event::Type::kMatch && !event.match_text.empty();
  const std::size_t start = match && style_.color ? MatchStart(event) : std::string::npos;
  if (start == std::string::npos) {
    out_ << Shown(line);
    return;
  }
  out_ << Shown(line.substr(0, start));
  Colored(kMatchColor, Shown(event.match_text));
  out_ << Shown(line.substr(start + event.match_text.size()));
}

void Printer::Colored(std::string_view code, std::string_view text) {
  if (style_.color) {
    out_ << "\x1B[" << code << 'm' << text << "\x1B[0m";
  } else {
    out_ << text;
  }
}

std::string Printer::Shown(std::string_view line) const { return style_.terminal ? Sanitize(line) : std::string(line); }

}  // namespace forge::cli
