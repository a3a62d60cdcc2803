#include "search/content.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"

namespace forge {
namespace {

// The nearest character border at or before `at`.
std::size_t CharacterStart(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

// A window of the line that shows the match, a third of the room before it.
std::string Clip(const Event& event) {
  const std::string_view line = event.line;
  if (line.size() <= kMaxShownLine) return Sanitize(line);
  // Columns count bytes of the file; where bad UTF-8 was replaced, the shown
  // line is longer and the window a little early, which does no harm.
  const std::size_t match = event.column == 0 ? 0 : std::min<std::size_t>(event.column - 1, line.size());
  const std::size_t before = kMaxShownLine / 3;
  std::size_t begin = match > before ? match - before : 0;
  begin = std::min(begin, line.size() - kMaxShownLine);
  begin = CharacterStart(line, begin);
  const std::size_t end = CharacterStart(line, std::min(begin + kMaxShownLine, line.size()));
  std::string out = begin > 0 ? "…" : "";
  out += Sanitize(line.substr(begin, end - begin));
  if (end < line.size()) out += "… (" + std::to_string(line.size()) + " bytes)";
  return out;
}

std::string EventLine(const Event& event) {
  std::string out = std::to_string(event.line_number);
  if (event.type == Event::Type::kMatch) {
    out += ":" + std::to_string(event.column) + ":";
  } else {
    out += "-";
  }
  return out + Clip(event) + "\n";
}

// Path headings, events, and "--" where context leaves a gap. Returns how many
// events found room.
std::size_t ListEvents(const SearchResponse& response, bool with_context, std::string& out) {
  const Event* previous = nullptr;
  for (std::size_t i = 0; i < response.matches.size(); ++i) {
    const Event& event = response.matches[i];
    std::string text;
    if (previous == nullptr || previous->path != event.path) {
      text = (previous == nullptr ? "" : "\n") + Sanitize(event.path) + "\n";
    } else if (with_context && event.line_number > previous->line_number + 1) {
      text = "--\n";
    }
    text += EventLine(event);
    if (out.size() + text.size() > kMaxContentBytes) return i;
    out += text;
    previous = &event;
  }
  return response.matches.size();
}

std::string Summary(const SearchResponse& response) {
  std::uint64_t matches = 0;
  std::uint64_t files = 0;
  const std::string* last = nullptr;
  for (const Event& event : response.matches) {
    if (event.type != Event::Type::kMatch) continue;
    ++matches;
    if (last == nullptr || *last != event.path) ++files;
    last = &event.path;
  }
  const std::string searched = Count(response.files_scanned, "file") + " searched.\n";
  if (matches == 0) return "No matches; " + searched;
  return Count(matches, "match") + " in " + Count(files, "file") + "; " + searched;
}

std::string WereSkipped(std::uint64_t n) { return n == 1 ? " was skipped" : " were skipped"; }

}  // namespace

std::vector<std::string> MakeNotes(const SearchResponse& response, const CheckedRequest& request,
                                   const LeftOut& left_out) {
  std::vector<std::string> notes;
  if (response.truncated && !left_out.stopped) {
    notes.push_back("truncated at max_results (" + std::to_string(request.max_results) +
                    "); there is more: raise max_results or narrow the search.");
  }
  if (response.timed_out) {
    notes.push_back("stopped at timeout_ms (" + std::to_string(request.timeout_ms) +
                    "); the files after the last one searched are missing.");
  }
  if (left_out.more_files) {
    notes.push_back("only the first " + Count(request.max_files, "file") +
                    " in order were searched, there are more: raise max_files or narrow the path.");
  }
  if (left_out.capped > 0) {
    notes.push_back(Count(left_out.capped, "file") + (left_out.capped == 1 ? " has" : " have") +
                    " more matches than max_matches_per_file (" + std::to_string(request.max_matches_per_file) + ").");
  }
  if (left_out.too_large > 0) {
    notes.push_back(Count(left_out.too_large, "file") + " larger than max_file_size_bytes (" +
                    std::to_string(request.max_file_size_bytes) + ")" + WereSkipped(left_out.too_large) + ".");
  }
  if (left_out.binary > 0) {
    notes.push_back(Count(left_out.binary, "binary file") + " with a match" + WereSkipped(left_out.binary) + ".");
  }
  if (left_out.denied > 0) {
    notes.push_back(Count(left_out.denied, "path") + WereSkipped(left_out.denied) +
                    " because of deny patterns (tools.sandbox.denied_patterns, include_default_denies).");
  }
  if (!response.errors.empty()) {
    notes.push_back(Count(response.errors.size(), "path") + " could not be searched, or not entirely; see errors.");
  }
  if (response.exit_code) {
    notes.push_back("the search backend failed; the results end where it did. See exit_code and stderr.");
  }
  return notes;
}

std::string BuildContent(const SearchResponse& response, const CheckedRequest& request) {
  std::string out;
  const std::size_t shown = ListEvents(response, request.context > 0, out);
  if (!out.empty()) out += "\n";
  out += Summary(response);
  const auto clipped =
      std::count_if(response.matches.begin(), response.matches.begin() + static_cast<std::ptrdiff_t>(shown),
                    [](const Event& event) { return event.line.size() > kMaxShownLine; });
  if (clipped > 0) {
    out += "Note: " + Count(static_cast<std::uint64_t>(clipped), "line") + " longer than " +
           std::to_string(kMaxShownLine) + " bytes" + (clipped == 1 ? " is" : " are") +
           " clipped in this view; matches has all of it.\n";
  }
  if (shown < response.matches.size()) {
    out += "Note: this view ends after " + Count(shown, "line") + " of " + std::to_string(response.matches.size()) +
           "; matches has them all.\n";
  }
  for (const std::string& note : response.notes) out += "Note: " + note + "\n";
  return out;
}

}  // namespace forge
