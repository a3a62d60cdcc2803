#include "cli/printer.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/hyperlink.h"

namespace forge::cli {
namespace {

bool IsMatch(const Event& event) { return event.type == Event::Type::kMatch; }

// Lines without a match have no column.
bool HasColumn(const Event& event) { return event.column > 0; }

std::size_t LeadingBlanks(std::string_view line) { return std::min(line.find_first_not_of(" \t\r\v\f"), line.size()); }

// The end of the first `columns` characters.
std::size_t EndOfPreview(std::string_view line, std::uint64_t columns) {
  std::size_t at = 0;
  for (; columns > 0 && at < line.size(); --columns) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80) ++at;
  }
  return at;
}

}  // namespace

bool UseColor(ColorChoice choice, bool terminal, const Environment& environment) {
  if (choice != ColorChoice::kAuto) return choice == ColorChoice::kAlways;
  if (!environment.Get("NO_COLOR").empty()) return false;
  const std::string force = environment.Get("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return terminal && environment.Get("TERM") != "dumb";
}

void Printer::AppendText(std::string_view text, std::string& out) const {
  if (style_.terminal) {
    out += Sanitize(LossyUtf8(text));
  } else {
    out += text;
  }
}

void Printer::AppendInColor(const ColorSpec& spec, std::string_view text, std::string& out) const {
  if (style_.color) {
    AppendColored(spec, style_.terminal ? Sanitize(LossyUtf8(text)) : std::string(text), out);
  } else {
    AppendText(text, out);
  }
}

Printer::Replaced Printer::Replace(const Event& event) {
  Replaced replaced;
  const std::string_view line = event.line;
  std::size_t copied = 0;
  for (const Place& place : event.places) {
    const std::size_t begin = std::min<std::size_t>(place.begin, line.size());
    replaced.line += line.substr(copied, begin - copied);
    replaced.places.Add(replaced.line.size(), replaced.line.size() + place.replacement.size());
    replaced.line += place.replacement;
    copied = std::min<std::size_t>(place.end, line.size());
  }
  replaced.line += line.substr(copied);
  return replaced;
}

void Printer::OnEvent(const Event& event, std::string& out, const Spill& spill) {
  StartGroup(event, out);
  Replaced replaced;
  if (style_.replace) replaced = Replace(event);
  const Shown shown = style_.replace ? Shown{replaced.line, replaced.places} : Shown{event.line, event.places};
  const bool each = (style_.only_matching || style_.per_match) && HasColumn(event) && !shown.places.empty();
  if (!each) {
    AppendPosition(event, shown.places.empty() ? event.column : shown.places.front().begin + 1, event.offset, out);
    AppendLine(event, shown, out, spill);
    return;
  }
  for (const Place& place : shown.places) {
    AppendPosition(event, place.begin + 1, event.offset + place.begin, out);
    if (style_.only_matching) {
      AppendMatch(shown.line.substr(std::min<std::size_t>(place.begin, shown.line.size()), place.end - place.begin),
                  out);
    } else {
      AppendLine(event, {shown.line, shown.places, &place}, out, spill);
    }
    if (!SpillIfLong(spill, out)) return;
  }
}

void Printer::AppendMatch(std::string_view text, std::string& out) const {
  if (style_.trim) text.remove_prefix(LeadingBlanks(text));
  if (style_.max_columns && text.size() > *style_.max_columns) {
    out += "[Omitted long matching line]";
  } else {
    AppendInColor(style_.colors.match, text, out);
  }
  out += '\n';
}

void Printer::OnFile(const std::string& path, std::optional<std::uint64_t> count, std::string& out) {
  const bool named = !count || style_.with_filename;
  if (named) AppendPath(path, 0, 0, out);
  if (named && style_.null) {
    out += '\0';
  } else if (named && count) {
    out += ':';
  }
  if (count) out += std::to_string(*count);
  if (count || !style_.null) out += '\n';
}

void Printer::StartGroup(const Event& event, std::string& out) {
  const bool new_file = !any_ || event.path != path_;
  const bool gap = any_ && (new_file || event.line_number != line_number_ + 1);
  if (style_.heading && new_file) {
    if (any_) out += '\n';
    if (style_.with_filename) {
      AppendPath(event.path, 0, 0, out);
      out += style_.null ? '\0' : '\n';
    }
  } else if (style_.separator && gap) {
    out += *style_.separator + '\n';
  }
  any_ = true;
  path_ = event.path;
  line_number_ = event.line_number;
}

// A program must be able to open the file, so it gets bytes that are not UTF-8 as
// they are.
std::string Printer::NameOf(std::string_view path) const {
  if (style_.terminal) return ShownName(path);
  const std::string text = LossyUtf8(path);
  return style_.null || ShownName(text) == text ? std::string(path) : ShownName(path);
}

// A file may have thousands of lines, and its name is made once.
const std::string& Printer::LastNameOf(std::string_view path) {
  if (!named_ || *named_ != path) {
    named_ = path;
    name_ = NameOf(path);
  }
  return name_;
}

void Printer::AppendPath(std::string_view path, std::uint64_t line, std::uint64_t column, std::string& out) {
  const std::string& shown = LastNameOf(path);
  const std::string link = style_.hyperlink.empty() ? "" : LinkTo(style_.hyperlink, path, line, column);
  if (!link.empty()) out += "\x1B]8;;" + link + "\x1B\\";
  if (style_.color) {
    AppendColored(style_.colors.path, shown, out);
  } else {
    out += shown;
  }
  if (!link.empty()) out += "\x1B]8;;\x1B\\";
}

void Printer::AppendPosition(const Event& event, std::uint64_t column, std::uint64_t offset, std::string& out) {
  const std::string& separator = IsMatch(event) ? style_.match_separator : style_.context_separator;
  const auto number = [&](const ColorSpec& spec, std::uint64_t value) {
    if (style_.color) {
      AppendColored(spec, std::to_string(value), out);
    } else {
      out += std::to_string(value);
    }
    out += separator;
  };
  if (style_.with_filename && !style_.heading) {
    AppendPath(event.path, event.line_number, column, out);
    out += style_.null ? std::string(1, '\0') : separator;
  }
  if (style_.line_numbers) number(style_.colors.line, event.line_number);
  if (style_.column && HasColumn(event)) number(style_.colors.column, column);
  if (style_.byte_offset) number(style_.colors.column, offset);
}

void Printer::AppendLine(const Event& event, const Shown& shown, std::string& out, const Spill& spill) const {
  if (!AppendLong(event, shown, out, spill)) {
    AppendMarked(shown, shown.line.size(), out, spill);
    if (event.ending == LineEnding::kCrLf && !style_.terminal) out += '\r';
  }
  out += '\n';
}

// What stands for a line that is too long. ripgrep counts the line's ending as
// well, except after a replacement.
bool Printer::AppendLong(const Event& event, const Shown& shown, std::string& out, const Spill& spill) const {
  const std::size_t size = shown.line.size() + (style_.replace && HasColumn(event) ? 0 : BytesOf(event.ending).size());
  if (!style_.max_columns || size <= *style_.max_columns) return false;
  const bool counted = style_.knows_all && HasColumn(event);
  if (style_.preview) {
    const std::size_t end = EndOfPreview(shown.line, *style_.max_columns);
    AppendMarked(shown, end, out, spill);
    const auto left =
        std::count_if(shown.places.begin(), shown.places.end(), [&](const Place& place) { return place.begin >= end; });
    out += counted ? " [... " + std::to_string(left) + (left == 1 ? " more match]" : " more matches]")
                   : " [... omitted end of long line]";
  } else if (!IsMatch(event)) {
    out += "[Omitted long context line]";
  } else {
    out += counted ? "[Omitted long line with " + std::to_string(shown.places.size()) + " matches]"
                   : "[Omitted long matching line]";
  }
  return true;
}

// The line up to `end`, with its matches in colour. Matches that touch are one, as in
// ripgrep.
void Printer::AppendMarked(const Shown& shown, std::size_t end, std::string& out, const Spill& spill) const {
  const std::string_view line = shown.line.substr(0, end);
  std::size_t at = style_.trim ? LeadingBlanks(line) : 0;
  if (style_.color && style_.colors.match != ColorSpec()) {
    std::size_t begin = at;  // of what is to be marked, up to `at`
    const auto mark = [&] {
      if (begin < at) AppendInColor(style_.colors.match, line.substr(begin, at - begin), out);
      return SpillIfLong(spill, out);
    };
    for (const Place& place : shown.places) {
      const bool marked = shown.marked == nullptr || *shown.marked == place;
      if (!marked || place.begin == place.end || place.begin < at || place.begin >= end) continue;
      if (place.begin > at || begin == at) {
        if (!mark()) return;
        AppendText(line.substr(at, place.begin - at), out);
        begin = place.begin;
      }
      at = std::min<std::size_t>(place.end, end);
    }
    mark();
  }
  AppendText(line.substr(at), out);
}

}  // namespace forge::cli
