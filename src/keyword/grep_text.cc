#include "keyword/grep_text.h"

#include <algorithm>

#include "base/strings.h"
#include "base/unicode.h"

namespace forge::keyword {

// Also removes line ends, which Sanitize keeps.
std::string OneLine(std::string_view text) {
  std::string out = Sanitize(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

void GrepText::Add(std::string_view path, std::uint64_t line_number, bool is_match, std::string_view line) {
  const bool adjacent = path == path_ && line_number == line_number_ + 1;
  if (!text_.empty() && !adjacent) text_ += "--\n";
  const char mark = is_match ? ':' : '-';
  text_ += ShownName(path) + mark + std::to_string(line_number) + mark + OneLine(line) + '\n';
  path_ = path;
  line_number_ = line_number;
}

void MergedHits::Add(const std::vector<Event>& events) {
  const SharedText* path = nullptr;
  Lines* lines = nullptr;
  for (const Event& event : events) {
    if (path == nullptr || *path != event.path) lines = &files_[{SortKey(event.path), event.path.str()}];
    path = &event.path;
    Line& line = (*lines)[event.line_number];
    line.is_match |= event.type == Event::Type::kMatch;
    line.text = event.line;
  }
}

std::string MergedHits::Text() const {
  GrepText text;
  for (const auto& [file, lines] : files_) {
    for (const auto& [number, line] : lines) text.Add(file.second, number, line.is_match, line.text);
  }
  return text.Take();
}

std::set<std::string, std::less<>> MergedHits::Paths() const {
  std::set<std::string, std::less<>> paths;
  for (const auto& [file, lines] : files_) paths.insert(file.second);
  return paths;
}

}  // namespace forge::keyword
