#include "search/ladder.h"

#include <algorithm>
#include <span>

#include "base/strings.h"

namespace forge {
namespace {

// The least room for which we start a list of lines that will be cut.
constexpr std::size_t kSmallestPart = 300;

// Enough for a path and a line or two, so that most files take memory once.
constexpr std::size_t kRoomForFew = 240;

bool IsMatch(const Event& event) { return event.type == Event::Type::kMatch; }

void AppendLine(const Event& event, std::size_t width, std::string& out) {
  out += std::to_string(event.line_number);
  out += IsMatch(event) ? ":" + std::to_string(event.column) + ":" : "-";
  AppendClipped(event, width, out);
  out += '\n';
}

// The events of one file.
class File {
 public:
  File(std::span<const Event> events, bool separators) : events_(events), separators_(separators) {}

  std::string Text(Rung rung) const {
    switch (rung) {
      case Rung::kLines: return Lines();
      case Rung::kClipped: return Clipped(std::string::npos);
      case Rung::kNumbers: return Numbers();
      case Rung::kCounts:
      case Rung::kSummary: return Path() + ": " + Count(matches(), "match") + "\n";
    }
    return "";
  }

  // As kClipped, but only as many lines as fit.
  std::string Clipped(std::size_t room) const {
    std::string out = Path() + "\n";
    std::uint64_t shown = 0;
    for (const Event& event : events_) {
      if (!IsMatch(event)) continue;
      const std::size_t before = out.size();
      AppendLine(event, kMaxClippedLine, out);
      if (room != std::string::npos && out.size() + 40 > room) {
        out.resize(before);
        break;
      }
      ++shown;
    }
    if (shown < matches()) out += "… and " + Count(matches() - shown, "more match") + "\n";
    return out + "\n";
  }

  std::uint64_t matches() const {
    return static_cast<std::uint64_t>(std::count_if(events_.begin(), events_.end(), IsMatch));
  }

  std::uint64_t long_lines() const {
    return static_cast<std::uint64_t>(std::count_if(
        events_.begin(), events_.end(), [](const Event& event) { return event.line.size() > kMaxShownLine; }));
  }

  std::string_view path() const { return events_.front().path; }

 private:
  std::string Path() const { return ShownName(path()); }

  std::string Lines() const {
    std::string out;
    out.reserve(kRoomForFew);
    (out += Path()) += '\n';
    const Event* previous = nullptr;
    for (const Event& event : events_) {
      if (separators_ && previous != nullptr && event.line_number > previous->line_number + 1) out += "--\n";
      AppendLine(event, kMaxShownLine, out);
      previous = &event;
    }
    out += '\n';
    return out;
  }

  std::string Numbers() const {
    std::string out = Path() + ": line" + (matches() == 1 ? "" : "s");
    bool first = true;
    for (const Event& event : events_) {
      if (!IsMatch(event)) continue;
      out += (first ? " " : ", ") + std::to_string(event.line_number);
      first = false;
    }
    return out + "\n";
  }

  std::span<const Event> events_;
  bool separators_;
};

std::vector<File> SplitByFile(const std::vector<Event>& events, bool separators) {
  std::vector<File> files;
  for (std::size_t begin = 0; begin < events.size();) {
    std::size_t end = begin;
    while (end < events.size() && events[end].path == events[begin].path) ++end;
    files.emplace_back(std::span(events).subspan(begin, end - begin), separators);
    begin = end;
  }
  return files;
}

std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "./" : path.substr(0, slash + 1);
}

// Counts per folder. The files of one folder stand together, except that its
// subfolders may stand between them. So a folder may come twice; each line is
// true for the files that it counts.
Listing Summarize(const std::vector<File>& files, std::size_t room) {
  Listing out;
  for (std::size_t i = 0; i < files.size();) {
    const std::string_view folder = FolderOf(files[i].path());
    std::uint64_t matches = 0;
    std::size_t end = i;
    for (; end < files.size() && FolderOf(files[end].path()) == folder; ++end) matches += files[end].matches();
    const std::string line =
        ShownName(folder) + ": " + Count(matches, "match") + " in " + Count(end - i, "file") + "\n";
    if (out.text.size() + line.size() > room) {
      out.unnamed_files = files.size() - i;
      break;
    }
    out.text += line;
    i = end;
  }
  out.files[static_cast<std::size_t>(Rung::kSummary)] = files.size();
  return out;
}

// Chooses a rung for each file.
class Ladder {
 public:
  Ladder(const std::vector<File>& files, std::size_t room) : files_(files), room_(room) {}

  // False: not even the counts fit.
  bool Place() {
    for (const Rung rung : {Rung::kLines, Rung::kClipped, Rung::kNumbers, Rung::kCounts}) {
      if (!AllFitOn(rung)) continue;
      for (int to = static_cast<int>(rung) - 1; to >= 0; --to) Lift(static_cast<Rung>(to));
      return true;
    }
    return false;
  }

  Listing Write() {
    ShowPartOfOne();
    Listing out;
    bool list = false;  // the last one was one line, without a blank line after it
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const bool one_line = rungs_[i] >= Rung::kNumbers;
      if (list && !one_line) out.text += "\n";
      list = one_line;
      out.text += texts_[i];
      ++out.files[static_cast<std::size_t>(rungs_[i])];
      if (rungs_[i] == Rung::kLines) out.clipped_lines += files_[i].long_lines();
    }
    if (list) out.text += "\n";
    return out;
  }

 private:
  // Stops as soon as there is no room: an answer may have very many lines.
  bool AllFitOn(Rung rung) {
    texts_.clear();
    texts_.reserve(files_.size());
    used_ = 0;
    for (const File& file : files_) {
      texts_.push_back(file.Text(rung));
      used_ += texts_.back().size() + 1;
      if (used_ > room_) return false;
    }
    rungs_.assign(files_.size(), rung);
    return true;
  }

  void Lift(Rung to) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (static_cast<int>(rungs_[i]) != static_cast<int>(to) + 1) continue;
      std::string text = files_[i].Text(to);
      if (!Replace(i, std::move(text))) continue;
      rungs_[i] = to;
    }
  }

  // If room is left, show some lines of the first file that has none.
  void ShowPartOfOne() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (rungs_[i] < Rung::kNumbers) continue;
      const std::size_t room = room_ - used_ + texts_[i].size();
      if (room >= kSmallestPart && Replace(i, files_[i].Clipped(room))) rungs_[i] = Rung::kClipped;
      return;
    }
  }

  bool Replace(std::size_t i, std::string text) {
    const std::size_t used = used_ - texts_[i].size() + text.size();
    if (used > room_) return false;
    used_ = used;
    texts_[i] = std::move(text);
    return true;
  }

  const std::vector<File>& files_;
  const std::size_t room_;
  std::size_t used_ = 0;
  std::vector<std::string> texts_;
  std::vector<Rung> rungs_;
};

}  // namespace

Listing ListEvents(const std::vector<Event>& events, bool separators, std::size_t room) {
  const std::vector<File> files = SplitByFile(events, separators);
  if (files.empty()) return {};
  Ladder ladder(files, room);
  return ladder.Place() ? ladder.Write() : Summarize(files, room);
}

}  // namespace forge
