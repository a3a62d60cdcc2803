// How the public types of the library cross a wire: the members of each, in order,
// and the last value of each enum.
//
// The structured binding makes it impossible to forget a member: with one more in
// the struct, this does not compile.
#pragma once

#include <tuple>

#include "forge/config.h"
#include "forge/error.h"
#include "forge/index.h"
#include "forge/search.h"
#include "wire/codec.h"

namespace forge::wire {

template <>
inline constexpr auto kLast<IndexMode> = IndexMode::kOn;
template <>
inline constexpr auto kLast<IndexStorage> = IndexStorage::kSqlite;
template <>
inline constexpr auto kLast<TokenStructure> = TokenStructure::kBloom;
template <>
inline constexpr auto kLast<IntegrityCheck> = IntegrityCheck::kPeriodic;
template <>
inline constexpr auto kLast<Provider> = Provider::kAnthropic;
template <>
inline constexpr auto kLast<ServerMode> = ServerMode::kOn;
template <>
inline constexpr auto kLast<CaseMode> = CaseMode::kInsensitive;
template <>
inline constexpr auto kLast<Report> = Report::kNames;
template <>
inline constexpr auto kLast<FileCap> = FileCap::kNever;
template <>
inline constexpr auto kLast<Event::Type> = Event::Type::kContext;
template <>
inline constexpr auto kLast<LineEnding> = LineEnding::kCrLf;
template <>
inline constexpr auto kLast<Hint::Change> = Hint::Change::kNoIgnore;
template <>
inline constexpr auto kLast<SearchEnd> = SearchEnd::kOutOfMemory;
template <>
inline constexpr auto kLast<FallbackReason> = FallbackReason::kLiteralNoMatches;
template <>
inline constexpr auto kLast<FallbackSkip> = FallbackSkip::kBudgetExhausted;
template <>
inline constexpr auto kLast<MaintenanceAction> = MaintenanceAction::kBypassExclusion;
template <>
inline constexpr auto kLast<IndexState> = IndexState::kDisabled;
template <>
inline constexpr auto kLast<IndexReason> = IndexReason::kMaintBudgetExceeded;
template <>
inline constexpr auto kLast<IndexPhase> = IndexPhase::kActivate;
template <>
inline constexpr auto kLast<StorageFallback> = StorageFallback::kUnsupportedSqlite;
template <>
inline constexpr auto kLast<Bypass> = Bypass::kNamedFile;
template <>
inline constexpr auto kLast<ErrorKind> = ErrorKind::kDuplicateTool;
template <>
inline constexpr auto kLast<ErrorCode> = ErrorCode::kDamaged;

template <>
struct Described<Error> {
  static auto Members(auto& value) {
    auto& [kind, message, code, field, key, refused, offset] = value;
    return std::tie(kind, message, code, field, key, refused, offset);
  }
};

template <>
struct Described<SearchRequest> {
  static auto Members(auto& value) {
    auto& [pattern, path, case_mode, fixed_strings, word_regexp, include_glob, exclude_glob, recursive, hidden, follow,
           no_ignore, context, max_results, max_matches_per_file, max_files, max_file_size_bytes, timeout, fuzzy,
           more_patterns, line_regexp, invert, may_be_blank, max_depth, include_iglob, exclude_iglob, type_glob,
           exclude_type_glob, text, report, before_context, after_context, passthru, every_match, exact_bytes,
           replacement, max_matches, file_cap] = value;
    return std::tie(pattern, path, case_mode, fixed_strings, word_regexp, include_glob, exclude_glob, recursive, hidden,
                    follow, no_ignore, context, max_results, max_matches_per_file, max_files, max_file_size_bytes,
                    timeout, fuzzy, more_patterns, line_regexp, invert, may_be_blank, max_depth, include_iglob,
                    exclude_iglob, type_glob, exclude_type_glob, text, report, before_context, after_context, passthru,
                    every_match, exact_bytes, replacement, max_matches, file_cap);
  }
};

template <>
struct Described<Places> {
  static auto Members(auto& value) { return Places::Members(value); }
};

template <>
struct Described<Places::Kept> {
  static auto Members(auto& value) {
    auto& [steps, texts, size, end, replaced] = value;
    return std::tie(steps, texts, size, end, replaced);
  }
};

template <>
struct Described<Event> {
  static auto Members(auto& value) {
    auto& [type, path, line_number, column, line, match_text, offset, ending, places] = value;
    return std::tie(type, path, line_number, column, line, match_text, offset, ending, places);
  }
};

template <>
struct Described<FileReport> {
  static auto Members(auto& value) {
    auto& [path, matched_lines, matches, bytes] = value;
    return std::tie(path, matched_lines, matches, bytes);
  }
};

template <>
struct Described<FileError> {
  static auto Members(auto& value) {
    auto& [path, error] = value;
    return std::tie(path, error);
  }
};

template <>
struct Described<SearchStats> {
  static auto Members(auto& value) {
    auto& [stats_version, index_safety_state, index_uncertain_reason, index_exclusion_used, storage_mode,
           storage_fallback_reason, fallback_used, fallback_reason, fuzzy_levels_tried, elapsed, candidates_total,
           candidates_excluded, candidates_scanned, index_bypass_reason, maintenance_action, fallback_skip_reason,
           fallback_passes_skipped, build_phase, build_files_total, build_files_done, build_elapsed, files_too_large,
           files_binary, files_capped, paths_denied] = value;
    return std::tie(stats_version, index_safety_state, index_uncertain_reason, index_exclusion_used, storage_mode,
                    storage_fallback_reason, fallback_used, fallback_reason, fuzzy_levels_tried, elapsed,
                    candidates_total, candidates_excluded, candidates_scanned, index_bypass_reason, maintenance_action,
                    fallback_skip_reason, fallback_passes_skipped, build_phase, build_files_total, build_files_done,
                    build_elapsed, files_too_large, files_binary, files_capped, paths_denied);
  }
};

template <>
struct Described<LeftOut> {
  static auto Members(auto& value) {
    auto& [too_large, binary, capped, denied, more_files, too_large_paths, binary_paths, capped_paths, denied_paths] =
        value;
    return std::tie(too_large, binary, capped, denied, more_files, too_large_paths, binary_paths, capped_paths,
                    denied_paths);
  }
};

template <>
struct Described<Hint> {
  static auto Members(auto& value) {
    auto& [change, path, line_number, match_text, untried] = value;
    return std::tie(change, path, line_number, match_text, untried);
  }
};

template <>
struct Described<SearchResponse> {
  static auto Members(auto& value) {
    auto& [end, pattern, path, matches, truncated, timed_out, files_scanned, bytes_searched, errors, left_out,
           exit_code, stderr_text, notes, hints, fallback_note, content, stats] = value;
    return std::tie(end, pattern, path, matches, truncated, timed_out, files_scanned, bytes_searched, errors, left_out,
                    exit_code, stderr_text, notes, hints, fallback_note, content, stats);
  }
};

template <>
struct Described<IndexStatus> {
  static auto Members(auto& value) {
    auto& [root, state, reason, causes, token_structure, storage, storage_fallback_reason, problem, folder, files,
           indexed_files, pending_files, segments, documents, bytes_on_disk, bytes_in_memory, text_bytes,
           coverage_epoch, watching, watches, unreported_changes, phase, files_total, files_done, bytes_total,
           bytes_done, elapsed, updated] = value;
    return std::tie(root, state, reason, causes, token_structure, storage, storage_fallback_reason, problem, folder,
                    files, indexed_files, pending_files, segments, documents, bytes_on_disk, bytes_in_memory,
                    text_bytes, coverage_epoch, watching, watches, unreported_changes, phase, files_total, files_done,
                    bytes_total, bytes_done, elapsed, updated);
  }
};

template <>
struct Described<IndexExplanation::Step> {
  static auto Members(auto& value) {
    auto& [part, files] = value;
    return std::tie(part, files);
  }
};

template <>
struct Described<IndexExplanation> {
  static auto Members(auto& value) {
    auto& [plan, bypass, files, steps, candidates] = value;
    return std::tie(plan, bypass, files, steps, candidates);
  }
};

}  // namespace forge::wire
