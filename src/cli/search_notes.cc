#include "cli/search_notes.h"

#include <string_view>

#include "base/strings.h"

namespace forge::cli {
namespace {

// ": a.c, b.c and 3 more"
std::string Named(const std::vector<std::string>& paths, std::uint64_t all) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? ": " : ", ") + ShownName(path);
  if (all > paths.size()) out += " and " + std::to_string(all - paths.size()) + " more";
  return out;
}

std::string EndNote(const SearchResponse& response, const SearchFlags& flags, const SearchConfig& config) {
  switch (response.end) {
    case SearchEnd::kNotSearched:
    case SearchEnd::kComplete:
    case SearchEnd::kCancelled:
    case SearchEnd::kStopped: return "";
    case SearchEnd::kFull:
      if (flags.request.max_matches)
        return "there are more matches; --max-results " + std::to_string(*flags.request.max_matches) +
               " ended the search";
      return "there are more lines; tools.search.default_max_results (" + std::to_string(config.default_max_results) +
             ") ended the search";
    case SearchEnd::kTooMuchText: return "there is more; tools.search.max_answer_bytes ended the search";
    case SearchEnd::kTimedOut:
      if (flags.request.timeout)
        return "the search was not finished; --timeout-ms " + std::to_string(flags.request.timeout->count()) +
               " ended it";
      return "the search was not finished; tools.search.default_timeout_ms (" +
             std::to_string(config.default_timeout.count()) + ") ended it; --timeout-ms N allows more";
    case SearchEnd::kBackendFailed: return "the search backend failed; the files after the last one are missing";
    case SearchEnd::kBackendNotStarted: return "the search backend could not be started";
    case SearchEnd::kOutOfMemory: return "the search ran out of memory; the files after the last one are missing";
  }
  return "";
}

void AddLeftOut(const LeftOut& left_out, const SearchFlags& flags, const SearchConfig& config,
                std::vector<std::string>& notes) {
  if (left_out.more_files) {
    const std::int64_t most = flags.request.max_files.value_or(config.max_files);
    notes.push_back("only the first " + Count(static_cast<std::uint64_t>(most), "file") +
                    " were searched, and there are more; --max-files N searches more");
  }
  if (left_out.capped > 0 && !flags.request.max_matches_per_file) {
    notes.push_back("of " + Count(left_out.capped, "file") + ", only " + std::to_string(config.max_matches_per_file) +
                    " matches each are shown (tools.search.max_matches_per_file); -m N shows more" +
                    Named(left_out.capped_paths, left_out.capped));
  }
  if (left_out.too_large > 0 && !flags.request.max_file_size_bytes) {
    notes.push_back(Count(left_out.too_large, "file") + " larger than " + std::to_string(config.max_file_size_bytes) +
                    " bytes (tools.search.max_file_size_bytes) not searched; --max-filesize N searches more" +
                    Named(left_out.too_large_paths, left_out.too_large));
  }
  if (left_out.binary > 0) {
    notes.push_back(Count(left_out.binary, "binary file") + " with a match not shown; -a shows them" +
                    Named(left_out.binary_paths, left_out.binary));
  }
  if (left_out.denied > 0) {
    notes.push_back(Count(left_out.denied, "path") +
                    " never read, as keys and passwords are (tools.sandbox.denied_patterns, include_default_denies)" +
                    Named(left_out.denied_paths, left_out.denied));
  }
}

}  // namespace

std::vector<std::string> NotesFor(const SearchResponse& response, const SearchFlags& flags,
                                  const SearchConfig& config) {
  std::vector<std::string> notes;
  if (!flags.no_messages) {
    for (const FileError& error : response.errors) {
      notes.push_back(error.path.empty() ? error.error : error.path + ": " + error.error);  // "": above the tree
    }
  }
  if (response.stderr_text) notes.push_back(*response.stderr_text);
  if (!response.fallback_note.empty()) notes.push_back(response.fallback_note);
  if (std::string note = EndNote(response, flags, config); !note.empty()) notes.push_back(std::move(note));
  AddLeftOut(response.left_out, flags, config, notes);
  return notes;
}

bool StoppedEarly(const SearchResponse& response) {
  return response.timed_out || response.left_out.more_files ||
         (response.truncated && response.end != SearchEnd::kStopped);
}

std::string InOptions(std::string message) {
  struct Name {
    std::string_view field;
    std::string_view option;
  };
  static constexpr Name kFirst[] = {
      {"include_glob[", "-g: "},       {"exclude_glob[", "-g '!...': "},
      {"include_iglob[", "--iglob: "}, {"exclude_iglob[", "--iglob '!...': "},
      {"type_glob[", "--type-add: "},  {"exclude_type_glob[", "--type-add: "},
      {"fuzzy: ", "--fuzzy: "},        {"path: ", ""},
  };
  static constexpr Name kLast[] = {{" invert", " -v"}, {" line_regexp", " -x"}, {" passthru", " --passthru"}};
  const std::size_t end = message.find(": ");
  for (const Name& name : kFirst) {
    if (end == std::string::npos || !message.starts_with(name.field)) continue;
    message.replace(0, end + 2, name.option);
    for (const Name& last : kLast) {
      const std::size_t word = last.field.size();
      if (message.ends_with(last.field)) message.replace(message.size() - word, word, last.option);
    }
    return message;
  }
  return message;
}

}  // namespace forge::cli
