#include "search/content.h"

#include <utility>

#include "base/strings.h"
#include "search/ladder.h"

namespace forge {
namespace {

constexpr std::size_t kRoomForViewNotes = 350;
// What a request or the tree may take of the summary.
constexpr std::size_t kMostOfGlobs = 200;
constexpr std::size_t kMostOfPath = 300;

struct Found {
  std::uint64_t matches = 0;
  std::uint64_t files = 0;
};

Found CountMatches(const SearchResponse& response) {
  Found found;
  const SharedText* last = nullptr;
  for (const Event& event : response.matches) {
    if (event.type != Event::Type::kMatch) continue;
    ++found.matches;
    if (last == nullptr || *last != event.path) ++found.files;
    last = &event.path;
  }
  return found;
}

std::string Joined(const std::vector<std::string>& globs) {
  std::string out;
  for (const std::string& glob : globs) {
    out += (out.empty() ? "" : ", ") + glob.substr(0, kMostOfGlobs);
    if (out.size() > kMostOfGlobs) break;
  }
  return Echo(out, kMostOfGlobs);
}

// What narrowed the search, for a reader who wonders why there is no match.
std::string Filters(const SearchRequest& request) {
  std::string out;
  if (!request.include_glob.empty())
    out += "Only files that match include_glob (" + Joined(request.include_glob) + "). ";
  if (!request.exclude_glob.empty()) out += "Without exclude_glob (" + Joined(request.exclude_glob) + "). ";
  if (!request.recursive) out += "Not in subfolders. ";
  if (!request.hidden && !request.no_ignore) {
    out += "Hidden and ignored files were left out. ";
  } else if (!request.hidden) {
    out += "Hidden files were left out. ";
  } else if (!request.no_ignore) {
    out += "Ignored files were left out. ";
  }
  if (!out.empty()) out.back() = '\n';
  return out;
}

std::string Summary(const SearchResponse& response, const CheckedRequest& request) {
  const Found found = CountMatches(response);
  const std::string searched =
      Count(response.files_scanned, "file") + " searched in " + Echo(response.path, kMostOfPath) + ".\n";
  if (found.matches > 0) {
    const std::string matches = Count(found.matches, "match");
    const std::string shown = !response.truncated  ? matches
                              : found.matches == 1 ? "The first match"
                                                   : "The first " + matches;
    return shown + " in " + Count(found.files, "file") + "; " + searched;
  }
  // The limit counts context lines too, and ended the search before the first match.
  if (response.end == SearchEnd::kFull || response.end == SearchEnd::kTooMuchText) {
    return "There are matches, but the context before the first one reached the limit; " + searched;
  }
  return "No matches; " + searched + Filters(request.request);
}

// What the ladder had to shorten, and how to see the rest.
std::string ViewNote(const Listing& listing, std::uint64_t budget) {
  std::string shown;
  const auto add = [&](Rung rung, std::string_view how) {
    if (const std::uint64_t n = listing.On(rung); n > 0) {
      shown += (shown.empty() ? "" : ", ") + Count(n, "file") + " " + std::string(how);
    }
  };
  add(Rung::kClipped, "with short lines");
  add(Rung::kNumbers, "by line numbers");
  add(Rung::kCounts, "by counts");
  add(Rung::kSummary, "by counts per folder");
  if (shown.empty()) return "";
  if (listing.unnamed_files > 0) shown += " (" + std::to_string(listing.unnamed_files) + " of them did not fit at all)";
  return "Note: to fit into content_max_bytes (" + std::to_string(budget) + "), this view shows " + shown +
         "; to see more, narrow path, include_glob or the pattern.\n";
}

std::string TruncatedNote(const CheckedRequest& request, std::string_view more) {
  return "truncated at max_results (" + std::to_string(request.max_results) + "); there " + std::string(more) +
         " more: raise max_results, or narrow path, include_glob or the pattern.";
}

std::string FailureNote(std::string_view what) {
  return std::string(what) + "; the files after the last one searched are missing. See stderr.";
}

// What the end of the search means for the answer. Every end has its case here,
// so none can be forgotten.
std::vector<std::string> EndNotes(const SearchResponse& response, const CheckedRequest& request) {
  switch (response.end) {
    case SearchEnd::kComplete:
    case SearchEnd::kStopped: return {};  // the caller stopped it, and knows why
    case SearchEnd::kFull: return {TruncatedNote(request, "is")};
    case SearchEnd::kTooMuchText:
      return {"truncated at max_answer_bytes (" + std::to_string(request.max_answer_bytes) +
              "); there is more: narrow path, include_glob or the pattern, or raise tools.search.max_answer_bytes."};
    case SearchEnd::kTimedOut: {
      std::vector<std::string> notes;
      if (response.truncated) notes.push_back(TruncatedNote(request, "may be"));  // D4
      notes.push_back("stopped at timeout_ms (" + std::to_string(request.timeout_ms) +
                      "); the files after the last one searched are missing.");
      return notes;
    }
    case SearchEnd::kBackendFailed: return {FailureNote("the search backend failed")};
    case SearchEnd::kBackendNotStarted: return {FailureNote("the search backend could not be started")};
    case SearchEnd::kOutOfMemory: return {FailureNote("the search ran out of memory")};
    case SearchEnd::kCancelled: return {"the search was cancelled; the files after the last one searched are missing."};
    case SearchEnd::kNotSearched: break;
  }
  return {"nothing was searched."};
}

// The summary and the notes. If not all of the notes fit, the last line says so.
std::string Footer(const SearchResponse& response, const CheckedRequest& request, std::size_t room) {
  constexpr std::size_t kRoomForTheRest = 40;
  std::string out = Summary(response, request);
  for (std::size_t i = 0; i < response.notes.size(); ++i) {
    const std::size_t left = response.notes.size() - i;
    std::string line = "Note: " + response.notes[i] + "\n";
    if (out.size() + line.size() + (left > 1 ? kRoomForTheRest : 0) > room) {
      return out + "Note: " + Count(left, "more note") + " did not fit.\n";
    }
    out += line;
  }
  return out;
}

std::string WereSkipped(std::uint64_t n) { return n == 1 ? " was skipped" : " were skipped"; }

}  // namespace

std::vector<std::string> MakeNotes(const SearchResponse& response, const CheckedRequest& request,
                                   const LeftOut& left_out) {
  std::vector<std::string> notes = EndNotes(response, request);
  if (left_out.more_files) {
    notes.push_back("max_files (" + std::to_string(request.max_files) + ") was reached: only the first " +
                    Count(request.max_files, "file") + " in path order " + (request.max_files == 1 ? "was" : "were") +
                    " searched; narrow the path, or raise tools.search.max_files.");
  }
  if (left_out.capped > 0) {
    notes.push_back(Count(left_out.capped, "file") + (left_out.capped == 1 ? " has" : " have") +
                    " more matches than max_matches_per_file (" + std::to_string(request.max_matches_per_file) +
                    "), the limit of the request or of tools.search.max_matches_per_file.");
  }
  if (left_out.too_large > 0) {
    notes.push_back(Count(left_out.too_large, "file") + " larger than max_file_size_bytes (" +
                    std::to_string(request.size_limit.bytes) + ")" + WereSkipped(left_out.too_large) +
                    "; the limit is tools.search.max_file_size_bytes.");
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
  return notes;
}

std::string BuildContent(const SearchResponse& response, const CheckedRequest& request) {
  const std::size_t budget = request.content_max_bytes;
  const std::string footer = Footer(response, request, budget > kRoomForViewNotes ? budget - kRoomForViewNotes : 0);
  const std::size_t taken = footer.size() + kRoomForViewNotes;
  Listing listing = ListEvents(response.matches, request.context.before + request.context.after > 0,
                               budget > taken ? budget - taken : 0);
  if (!listing.text.empty() && !listing.text.ends_with("\n\n")) listing.text += "\n";
  std::string out = std::move(listing.text) + footer;
  if (listing.clipped_lines > 0) {
    out += "Note: " + Count(listing.clipped_lines, "line") + " longer than " + std::to_string(kMaxShownLine) +
           " bytes" + (listing.clipped_lines == 1 ? " is" : " are") + " clipped around the match.\n";
  }
  return out + ViewNote(listing, budget);
}

}  // namespace forge
