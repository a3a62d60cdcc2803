#include "agent/listing.h"

#include <algorithm>
#include <utility>

#include "base/clip_line.h"
#include "base/strings.h"

namespace forge::agent {
namespace {

// Of the room; the rest is for numbers.
constexpr std::size_t kPercentForLines = 44;
constexpr std::size_t kRoomForCount = 60;
// So many lines may have kMaxShownLine bytes.
constexpr std::size_t kWideLines = 10;
constexpr std::size_t kNarrowLine = 120;

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
    const std::size_t room = options_.room * kPercentForLines / 100;
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

  // With the path, if it is the first of its file, and with a mark of a gap.
  std::string Piece(const Event& event) const {
    std::string out;
    if (event.path != path_ || out_.text.empty()) {
      out = (out_.text.empty() ? "" : "\n") + ShownName(event.path) + "\n";
    } else if (options_.before + options_.after > 0 && event.line_number > last_line_ + 1) {
      out = "--\n";
    }
    out += std::to_string(event.line_number);
    out += IsMatch(event) ? ':' : '-';
    if (options_.columns && IsMatch(event)) out += std::to_string(event.column) + ":";
    return out + ClipLine(event, lines_ < kWideLines ? kMaxShownLine : kNarrowLine) + "\n";
  }

  void Append(const Event& event) {
    out_.text += Piece(event);
    path_ = event.path;
    last_line_ = event.line_number;
    if (IsMatch(event)) last_match_ = event.line_number;
    ++lines_;
  }

  // "src/b.c: lines 3, 40, 41"
  void ListNumbers() {
    const std::size_t end = options_.room - std::min(options_.room, kRoomForCount);
    bool first = true;
    while ((next_ = NextMatch()) < events_.size()) {
      std::size_t after = next_;
      const std::string line = Numbers(after, end - std::min(end, out_.text.size() + 1));
      if (line.empty()) return;
      if (std::exchange(first, false) && !out_.text.empty()) out_.text += "\n";
      out_.text += line;
      next_ = after;
    }
  }

  // The matches of one file from `at` on, as many as fit; moves `at` behind them.
  std::string Numbers(std::size_t& at, std::size_t room) {
    const std::string& path = events_[at].path;
    std::string numbers;
    std::uint64_t count = 0;
    const std::size_t fixed = ShownName(path).size() + sizeof(": lines \n");
    for (; at < events_.size() && events_[at].path == path; ++at) {
      if (!IsMatch(events_[at])) continue;
      const std::string number = (count == 0 ? "" : ", ") + std::to_string(events_[at].line_number);
      if (fixed + numbers.size() + number.size() > room) break;
      numbers += number;
      ++count;
    }
    if (count == 0) return "";
    out_.by_number += count;
    return ShownName(path) + (count == 1 ? ": line " : ": lines ") + numbers + "\n";
  }

  void AppendCount() {
    std::uint64_t files = 0;
    const std::string* last = nullptr;
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
  std::string path_;
  std::uint64_t last_line_ = 0;
  std::uint64_t last_match_ = 0;
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
