#include "agent/listing.h"

#include <algorithm>
#include <utility>

#include "agent/definition.h"
#include "base/clip_line.h"
#include "base/strings.h"

namespace forge::agent {
namespace {

// Of the room; the rest is for numbers. A model that goes on to the next page has had
// the numbers, and wants to read.
constexpr std::size_t kPercentForLines = 55;
constexpr std::size_t kPercentOnLaterPages = 90;
constexpr std::size_t kRoomForCount = 60;
// The first lines of a page are read closely, and may be long.
struct Width {
  std::size_t up_to;  // lines
  std::size_t bytes;
};
constexpr Width kWidths[] = {{3, kMaxShownLine}, {10, 200}};
constexpr std::size_t kNarrowLine = 120;  // up to a quarter of the room
constexpr std::size_t kBriefLine = 60;
// A model may copy a line of a short answer into an edit, so the first lines keep
// their indentation; it costs 4 % of a long answer.
constexpr std::size_t kLinesWithIndentation = 10;
constexpr std::string_view kBeforeNumbers = "Further matches, by line number:\n";
// Among the numbers, so many lines that look like definitions have their text.
constexpr std::size_t kMostDefinitions = 8;
constexpr std::size_t kDefinitionLine = 120;

std::size_t IndentationOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

std::string_view WithoutIndentation(std::string_view line) { return line.substr(IndentationOf(line)); }

// Around the match, without indentation.
std::string ClipText(const Event& event, std::size_t width) {
  const std::size_t match = ShownPlace(event);
  return ClipLine(WithoutIndentation(event.line), match - std::min(match, IndentationOf(event.line)), width);
}

bool IsMatch(const Event& event) { return event.type == Event::Type::kMatch; }

class Lister {
 public:
  Lister(const std::vector<Event>& events, const ListOptions& options) : events_(events), options_(options) {}

  Listing List() {
    ListTexts();
    ListNumbers();
    const auto matches = static_cast<std::uint64_t>(std::count_if(events_.begin(), events_.end(), IsMatch));
    out_.counted = matches - out_.with_text - out_.by_number;
    if (out_.counted > 0) AppendCount();
    return std::move(out_);
  }

 private:
  // Up to the first line for which there is no room. A match without its context
  // is better than the context without it.
  void ListTexts() {
    const std::size_t room = options_.room * (options_.is_later_page ? kPercentOnLaterPages : kPercentForLines) / 100;
    while (next_ < events_.size()) {
      const std::size_t match = NextMatch();
      if (match == events_.size()) {
        AppendContext(match, room);
        return;
      }
      AppendTrail(match, room);
      while (next_ < match && !FitsUpTo(match, room)) ++next_;   // lines that are farther from the match
      if (out_.with_text > 0 && !FitsUpTo(match, room)) return;  // the first is shown in any case: pages must go on
      for (; next_ <= match; ++next_) Append(events_[next_]);
      ++out_.with_text;
    }
  }

  std::size_t NextMatch() const {
    std::size_t at = next_;
    while (at < events_.size() && !IsMatch(events_[at])) ++at;
    return at;
  }

  // Context lines that belong to the match before them, as far as they fit.
  void AppendTrail(std::size_t match, std::size_t room) {
    while (next_ < match && events_[next_].path == path_ &&
           events_[next_].line_number <= last_match_ + options_.after && Fits(next_, room)) {
      Append(events_[next_++]);
    }
  }

  void AppendContext(std::size_t end, std::size_t room) {
    for (; next_ < end && Fits(next_, room); ++next_) Append(events_[next_]);
    next_ = end;
  }

  bool Fits(std::size_t at, std::size_t room) const { return out_.text.size() + Piece(events_[at]).size() <= room; }

  bool FitsUpTo(std::size_t match, std::size_t room) const {
    std::size_t size = out_.text.size();
    for (std::size_t at = next_; at <= match; ++at) {
      size += Piece(events_[at]).size();
      if (size > room) return false;
    }
    return true;
  }

  // With the path, if it is the first of its file, and with a mark of a gap. For a
  // line that is equal to the one before, its number alone.
  std::string Piece(const Event& event) const {
    std::string out;
    if (Repeats(event)) return ", " + std::to_string(event.line_number);
    if (event.path != path_ || out_.text.empty()) {
      out = (out_.text.empty() ? "" : "\n") + ShownName(event.path) + "\n";
    } else if (HasContext() && event.line_number > last_line_ + 1) {
      out = "--\n";
    }
    out += std::to_string(event.line_number);
    out += IsMatch(event) ? ':' : '-';
    if (options_.columns && IsMatch(event)) out += std::to_string(event.column) + ":";
    return out + TextOf(event) + "\n";
  }

  // In a long list, indentation is one space.
  std::string TextOf(const Event& event) const {
    if (KeepsIndentation()) return ClipLine(event, WidthNow());
    return (IndentationOf(event.line) > 0 ? " " : "") + ClipText(event, WidthNow());
  }

  bool KeepsIndentation() const { return lines_ < kLinesWithIndentation || HasContext(); }
  bool HasContext() const { return options_.before + options_.after > 0; }

  // Whether the line reads like the last one of its file: it shares that one's text.
  bool Repeats(const Event& event) const {
    if (last_ == nullptr || HasContext() || options_.columns || event.path != path_) return false;
    if (last_has_indentation_) return event.line == last_->line;
    return WithoutIndentation(event.line) == WithoutIndentation(last_->line) &&
           (IndentationOf(event.line) > 0) == (IndentationOf(last_->line) > 0);
  }

  std::size_t WidthNow() const {
    for (const Width& width : kWidths) {
      if (lines_ < width.up_to) return width.bytes;
    }
    return out_.text.size() < options_.room / 4 ? kNarrowLine : kBriefLine;
  }

  void Append(const Event& event) {
    const std::string piece = Piece(event);
    const bool repeats = Repeats(event);
    out_.text.insert(repeats ? number_end_ : out_.text.size(), piece);
    last_line_ = event.line_number;
    if (IsMatch(event)) last_match_ = event.line_number;
    if (repeats) {
      number_end_ += piece.size();
      return;
    }
    path_ = event.path;
    last_ = IsMatch(event) ? &event : nullptr;
    last_has_indentation_ = KeepsIndentation();
    number_end_ = out_.text.find(':', out_.text.rfind('\n', out_.text.size() - 2) + 1);
    ++lines_;
  }

  // "src/b.c:3 40 41". A comma before each number would be a token more.
  void ListNumbers() {
    const std::size_t end = options_.room - std::min(options_.room, kRoomForCount);
    std::string header = (out_.text.empty() ? "" : "\n") + std::string(kBeforeNumbers);
    while ((next_ = NextMatch()) < events_.size()) {
      std::size_t after = next_;
      const std::string lines = Places(after, end - std::min(end, out_.text.size() + header.size()));
      if (lines.empty()) return;
      out_.text += std::exchange(header, "") + lines;
      next_ = after;
    }
  }

  // The matches of one file from `at` on, as many as fit; moves `at` behind them. A
  // definition has a line of its own, "src/b.c:12:class B {".
  std::string Places(std::size_t& at, std::size_t room) {
    const std::string name = ShownName(events_[at].path);
    std::string numbers;
    std::string definitions;
    const auto fits = [&](std::size_t more) { return numbers.size() + 1 + definitions.size() + more <= room; };
    for (const SharedText& path = events_[at].path; at < events_.size() && events_[at].path == path; ++at) {
      const Event& event = events_[at];
      if (!IsMatch(event)) continue;
      const std::string number = std::to_string(event.line_number);
      const std::string text = name + ":" + number + ":" + ClipText(event, kDefinitionLine) + "\n";
      if (definitions_ < kMostDefinitions && LooksLikeDefinition(event) && fits(text.size())) {
        definitions += text;
        ++definitions_;
      } else {
        const std::string item = (numbers.empty() ? name + ":" : " ") + number;
        if (!fits(item.size())) break;
        numbers += item;
      }
      ++out_.by_number;
    }
    return numbers + (numbers.empty() ? "" : "\n") + definitions;
  }

  void AppendCount() {
    std::uint64_t files = 0;
    const SharedText* last = nullptr;
    for (std::size_t at = next_; at < events_.size(); ++at) {
      if (!IsMatch(events_[at])) continue;
      if (last == nullptr || *last != events_[at].path) ++files;
      last = &events_[at].path;
    }
    out_.text += "and " + Count(out_.counted, "more match") + " in " + Count(files, "file") + "\n";
  }

  const std::vector<Event>& events_;
  const ListOptions options_;
  Listing out_;
  std::size_t next_ = 0;  // event
  std::size_t lines_ = 0;
  std::size_t definitions_ = 0;
  std::string path_;
  std::uint64_t last_line_ = 0;
  std::uint64_t last_match_ = 0;
  const Event* last_ = nullptr;  // the match that the last line of the text shows
  bool last_has_indentation_ = true;
  std::size_t number_end_ = 0;  // of the numbers of that line
};

}  // namespace

Listing ListMatches(const std::vector<Event>& events, const ListOptions& options) {
  return Lister(events, options).List();
}

std::size_t ListLines(const std::vector<std::string>& lines, std::size_t room, std::string& out) {
  std::size_t shown = 0;
  for (const std::string& line : lines) {
    if (shown > 0 && out.size() + line.size() + 1 > room) break;  // pages must go on
    out += line + "\n";
    ++shown;
  }
  return shown;
}

}  // namespace forge::agent
