#include "agent/text.h"

#include <algorithm>
#include <map>

#include "agent/listing.h"
#include "base/strings.h"

namespace forge::agent {
namespace {

// For what stands around the matches. It does not depend on how much that is: a
// page with a note must not show less than one without.
constexpr std::size_t kRoomAround = 2000;
constexpr std::size_t kMostEchoed = 200;
constexpr std::size_t kMostOfPath = 100;

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : ", ") + word.substr(0, kMostEchoed);
    if (out.size() > kMostEchoed) break;
  }
  return Echo(out, kMostEchoed);
}

// "a.c, b.c and 3 more"
std::string Named(const std::vector<std::string>& paths, std::uint64_t all) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : ", ") + Echo(path, kMostOfPath);
  if (all > paths.size()) out += " and " + std::to_string(all - paths.size()) + " more";
  return out;
}

// " that match include_glob (*.cc)", or nothing.
std::string WantedFiles(const SearchRequest& request) {
  std::string out;
  if (!request.include_glob.empty()) out += " that match include_glob (" + Joined(request.include_glob) + ")";
  if (!request.type_glob.empty())
    out += std::string(out.empty() ? "" : " and") + " of that type (" + Joined(request.type_glob) + ")";
  return out;
}

// Which files were searched, for a reader who wonders why there is no match.
std::string ScopeOf(const Call& call, bool some = true) {
  const SearchRequest& request = call.request;
  const std::string wanted = WantedFiles(request);
  std::string out = wanted.empty() || !some ? "" : "Only files" + wanted + " were searched. ";
  if (!request.exclude_glob.empty()) out += "Left out: exclude_glob (" + Joined(request.exclude_glob) + "). ";
  if (!request.recursive || request.max_depth) out += "Not all subfolders were searched. ";
  if (!request.hidden || !request.no_ignore) {
    out += std::string(request.hidden      ? "Files that git ignores (no_ignore)"
                       : request.no_ignore ? "Hidden files (hidden)"
                                           : "Hidden files (hidden) and files that git ignores (no_ignore)") +
           " were not searched. ";
  }
  if (!out.empty()) out.back() = '\n';
  return out;
}

std::string Searched(const Found& found) {
  const SearchResponse& response = found.response;
  const std::uint64_t too_large = std::min(response.left_out.too_large, response.files_scanned);
  return Count(response.files_scanned - too_large, "file") + " in " + Echo(response.path, 300) +
         (too_large > 0 ? "; " + Count(too_large, "file") + " too large to be searched" : "");
}

// Nothing at all is on the page.
std::string Nothing(const Call& call, const Found& found) {
  const char* const what = call.output == Output::kContent ? "match" : "file";
  if (call.offset > 0 && found.met > 0) {
    return "Nothing from offset " + std::to_string(call.offset) + " on: " + Count(found.met, what) +
           (found.met == 1 ? " comes" : " come") + " before it" +
           (found.response.left_out.capped > 0 ? ".\n" : ", and no more.\n");  // a note says where more are
  }
  const SearchResponse& response = found.response;
  if (IsFailure(response.end)) return "No answer: the search broke off after " + Searched(found) + ".\n";
  // A note says why there are more.
  if (response.timed_out || response.left_out.more_files) return "No match so far, in " + Searched(found) + ".\n";
  if (call.names_only) return "No such file in " + Echo(response.path, 300) + ".\n" + ScopeOf(call);
  const std::uint64_t too_large = response.left_out.too_large;
  if (too_large > 0 && too_large >= response.files_scanned) {
    return "No file was searched: " + Count(too_large, "file") + " in " + Echo(response.path, 300) +
           (too_large == 1 ? " is" : " are") + " too large.\n";
  }
  if (response.files_scanned == 0) {
    const std::string wanted = WantedFiles(call.request);
    return "No file was searched: " + (wanted.empty() ? "all" : "there are none" + wanted) + " in " +
           Echo(response.path, 300) + (wanted.empty() ? " are left out.\n" : ".\n") + ScopeOf(call, false);
  }
  const char* const none = response.left_out.binary > 0 ? "No matches in text, in " : "No matches in ";
  return none + Searched(found) + ".\n" + ScopeOf(call);
}

// "2088 matches in 245 files"
std::string Amount(const Found& found) {
  if (found.totals) return Count(found.totals->matches, "match") + " in " + Count(found.totals->files, "file");
  return (found.more ? "More than " : "At least ") + Count(found.met, "match");
}

// Matches that the page does not hold, by the first folders of their paths.
std::string Elsewhere(const Found& found) {
  constexpr std::size_t kMostFolders = 8;
  if (!found.totals || found.totals->by_file.empty()) return "";
  std::map<std::string, std::uint64_t> folders;
  std::uint64_t before = 0;
  for (const auto& [path, count] : found.totals->by_file) {
    before += count;
    if (before <= found.met) continue;
    const std::size_t slash = path.find('/', path.find('/') == 0 ? 1 : 0);
    folders[slash == std::string::npos ? "." : path.substr(0, slash + 1)] += std::min(count, before - found.met);
  }
  if (folders.size() < 2) return "";
  std::vector<std::pair<std::string, std::uint64_t>> list(folders.begin(), folders.end());
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (std::size_t i = 0; i < std::min(list.size(), kMostFolders); ++i) {
    out += (out.empty() ? "" : ", ") + ShownName(list[i].first) + " " + std::to_string(list[i].second);
  }
  if (list.size() > kMostFolders) out += ", other folders";
  return "Matches after these, by folder: " + out + ".\n";
}

std::string Range(std::uint64_t first, std::uint64_t count) {
  if (count == 1) return std::to_string(first);
  return std::to_string(first) + " to " + std::to_string(first + count - 1);
}

std::string LineSummary(const Call& call, const Found& found, const Listing& listing) {
  const bool all = !found.more && call.offset == 0 && listing.with_text == found.shown;
  std::string out = Amount(found) + ".";
  if (all && found.totals) return out + "\n";
  const std::uint64_t first = static_cast<std::uint64_t>(call.offset) + 1;
  out += " Shown: " + Range(first, listing.with_text);
  if (listing.by_number > 0) out += ", and " + Range(first + listing.with_text, listing.by_number) + " by line number";
  out += ".";
  const bool rest = found.more || listing.with_text < found.shown;
  if (rest) {
    out += " To see more: offset=" + std::to_string(static_cast<std::uint64_t>(call.offset) + listing.with_text) +
           (found.more ? ", or narrow path, include_glob or pattern." : ".");
  }
  return out + "\n" + (found.more ? Elsewhere(found) : "");
}

std::string FileSummary(const Call& call, const Found& found, std::size_t shown) {
  const std::string files = [&] {
    const std::uint64_t n = found.totals ? found.totals->files : found.met;
    const std::string words = call.names_only ? Count(n, "file") : Count(n, "file") + " with a match";
    return found.totals ? words : (found.more ? "More than " : "At least ") + words;
  }();
  std::string out = call.output == Output::kCount && found.totals ? Amount(found) + "." : files + ".";
  const auto offset = static_cast<std::uint64_t>(call.offset);
  if (!found.more && offset == 0 && shown == found.shown) return out + "\n";
  out += " Shown: " + Range(offset + 1, shown) + ".";
  if (found.more || shown < found.shown) out += " To see more: offset=" + std::to_string(offset + shown) + ".";
  return out + "\n";
}

std::string FilesText(const Call& call, const Found& found, std::size_t room) {
  std::vector<std::string> lines;
  for (const FileReport& file : found.files) {
    const std::string count = call.output == Output::kCount ? ": " + std::to_string(file.matched_lines) : "";
    lines.push_back(ShownName(file.path) + count);
  }
  std::string out;
  const std::size_t shown = ListLines(lines, room, out);
  return out + "\n" + FileSummary(call, found, shown);
}

std::string LinesText(const Call& call, const Found& found, std::size_t room) {
  const SearchRequest& request = call.request;
  const auto lines = [&](const std::optional<std::int64_t>& own) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(own.value_or(request.context), 0));
  };
  const Listing listing = ListMatches(found.response.matches, {.room = room,
                                                               .before = lines(request.before_context),
                                                               .after = lines(request.after_context),
                                                               .columns = call.columns,
                                                               .is_later_page = call.offset > 0});
  return listing.text + "\n" + LineSummary(call, found, listing);
}

std::string EndNote(const Call& call, const Found& found) {
  const SearchResponse& response = found.response;
  const std::string after = response.stderr_text ? ": " + Echo(*response.stderr_text) : "";
  switch (response.end) {
    case SearchEnd::kComplete:
    case SearchEnd::kFull:
    case SearchEnd::kNotSearched:
    case SearchEnd::kCancelled: return "";
    case SearchEnd::kStopped:
      return call.output == Output::kContent ? "The lines are so long that the page ended early." : "";
    case SearchEnd::kTooMuchText: return "The answer is too large; narrow path, include_glob or pattern.";
    case SearchEnd::kTimedOut:
      return "The time ran out, so files are missing: narrow path or include_glob, or raise timeout_ms.";
    case SearchEnd::kBackendFailed:
    case SearchEnd::kBackendNotStarted: return "The search program failed, so files are missing" + after + ".";
    case SearchEnd::kOutOfMemory: return "There was too little memory, so files are missing.";
  }
  return "";
}

std::string CapNote(const Call& call, const LeftOut& left_out, const SearchConfig& config) {
  const std::int64_t cap = call.request.max_matches_per_file.value_or(config.max_matches_per_file);
  return "Only the first " + Count(static_cast<std::uint64_t>(std::min(cap, config.max_matches_per_file)), "match") +
         " of each file are shown; more are in " + Named(left_out.capped_paths, left_out.capped) +
         (call.request.max_matches_per_file ? ". Without max_matches_per_file, and with path = that file, all are."
                                            : ". With path = that file, all are.");
}

// Advice only where following it works: a request cannot raise the configured limit.
std::string SizeNote(const Call& call, const LeftOut& left_out, const SearchConfig& config) {
  const std::int64_t asked = call.request.max_file_size_bytes.value_or(config.max_file_size_bytes);
  const std::int64_t limit = std::min(asked, config.max_file_size_bytes);
  return Count(left_out.too_large, "file") + " too large to be searched (over " +
         Count(static_cast<std::uint64_t>(limit), "byte") +
         "): " + Named(left_out.too_large_paths, left_out.too_large) + "." +
         (asked < config.max_file_size_bytes
              ? " max_file_size_bytes can be raised."
              : " Only tools.search.max_file_size_bytes in the configuration raises that.");
}

std::string ErrorsNote(const std::vector<FileError>& errors) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(errors.size(), 3); ++i) {
    out +=
        (out.empty() ? "" : "; ") + Echo(errors[i].path, kMostOfPath) + " (" + Echo(errors[i].error, kMostOfPath) + ")";
  }
  if (errors.size() > 3) out += "; and " + std::to_string(errors.size() - 3) + " more";
  return "Not searched, or not entirely: " + out + ".";
}

}  // namespace

std::vector<Note> NotesFor(const Call& call, const Found& found, const SearchConfig& config) {
  const SearchResponse& response = found.response;
  const LeftOut& left_out = response.left_out;
  std::vector<Note> notes;
  if (std::string note = EndNote(call, found); !note.empty()) notes.push_back({std::move(note)});
  if (left_out.more_files) {
    notes.push_back({"Only the first " + Count(response.files_scanned, "file") +
                     " in the order of paths were searched; " + (call.request.max_files ? "raise max_files, or " : "") +
                     "narrow path or include_glob to reach the others."});
  }
  if (left_out.capped > 0) notes.push_back({CapNote(call, left_out, config)});
  if (left_out.binary > 0) {
    notes.push_back({Count(left_out.binary, "binary file") + " with a match not shown: " +
                     Named(left_out.binary_paths, left_out.binary) + "; binary_as_text = true shows the lines."});
  }
  if (left_out.too_large > 0) {
    notes.push_back({SizeNote(call, left_out, config), true});
  }
  if (!response.errors.empty()) notes.push_back({ErrorsNote(response.errors), true});
  if (left_out.denied > 0) {
    notes.push_back({"Files whose names mark them as secrets (keys, .env, ...) are never searched.", true});
  }
  return notes;
}

std::string TextFor(const Call& call, const Found& found, const TextParts& parts) {
  std::string before;
  for (const std::string& remark : parts.remarks) before += "Note: " + remark + "\n";
  if (!found.response.fallback_note.empty()) before += "Note: " + found.response.fallback_note + "\n";
  if (!before.empty()) before += "\n";
  std::string after;
  for (const std::string& note : parts.notes) after += "Note: " + note + "\n";
  if (found.shown == 0) return before + Nothing(call, found) + after;
  const std::size_t room = std::max(parts.room / 2, parts.room - std::min(parts.room, kRoomAround));
  return before + (call.output == Output::kContent ? LinesText(call, found, room) : FilesText(call, found, room)) +
         after;
}

}  // namespace forge::agent
