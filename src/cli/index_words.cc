#include "cli/index_words.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <variant>

#include "base/strings.h"

namespace forge::cli {
namespace {

std::string ReasonInWords(IndexReason reason) {
  switch (reason) {
    case IndexReason::kNone: return "";
    case IndexReason::kMemoryBudgetExceeded:
      return "it would be larger than tools.search.index_max_memory_bytes allows";
    case IndexReason::kBelowThreshold: return "the tree is small enough without one";
    case IndexReason::kWatcherOverflow:
    case IndexReason::kWatcherOverflowDuringBuild: return "the system lost reports of changes";
    case IndexReason::kWatcherDown: return "changes cannot be watched";
    case IndexReason::kEligibilityChanged: return "ignore rules have changed";
    case IndexReason::kPolicyChanged: return "the deny patterns have changed";
    case IndexReason::kEnumerationError: return "a folder cannot be listed";
    case IndexReason::kRenameUncertain: return "a file was renamed while it was open";
    case IndexReason::kOpenRequiresValidation: return "the tree may have changed since it was stored";
    case IndexReason::kBuildBudgetExceeded: return "the build stopped at a limit";
    case IndexReason::kMaintBudgetExceeded: return "very much has changed at once";
  }
  return "";
}

// Doubts that every search resolves by itself, because it looks at each file.
bool IsReady(const IndexStatus& status) {
  return std::all_of(status.causes.begin(), status.causes.end(), [](IndexReason cause) {
    return cause == IndexReason::kOpenRequiresValidation || cause == IndexReason::kWatcherDown;
  });
}

std::string UncertainInWords(const IndexStatus& status) {
  if (IsReady(status) && !status.causes.empty()) return "ready; each command checks the tree first";
  return "not used until the tree has been looked at again: " + ReasonInWords(status.reason);
}

std::string_view PhaseInWords(IndexPhase phase) {
  switch (phase) {
    case IndexPhase::kIdle: return "done";
    case IndexPhase::kEnumerate: return "listing the files";
    case IndexPhase::kTokenize: return "reading the files";
    case IndexPhase::kPersist: return "storing the index";
    case IndexPhase::kActivate: return "almost done";
  }
  return "";
}

// "45 s", "12 min"
std::string TimeInWords(double seconds) {
  constexpr double kMostSeconds = 100;
  const bool brief = seconds < kMostSeconds;
  return std::to_string(static_cast<std::uint64_t>(brief ? seconds : seconds / 60) + 1) + (brief ? " s" : " min");
}

}  // namespace

std::string StateInWords(const IndexStatus& status) {
  switch (status.state) {
    case IndexState::kAbsent: return "there is none; `forge-search index build` builds it";
    case IndexState::kBuilding: return "being built; searches go without it until then";
    case IndexState::kComplete: return "ready";
    case IndexState::kUncertain: return UncertainInWords(status);
    case IndexState::kCorrupt: return "damaged; `forge-search index build --anew` builds it again";
    case IndexState::kDisabled: return "not used: " + ReasonInWords(status.reason);
  }
  return "";
}

std::string BypassInWords(const BypassReason& reason) {
  if (const auto* doubt = std::get_if<IndexReason>(&reason)) return ReasonInWords(*doubt);
  if (const auto* state = std::get_if<IndexState>(&reason)) {
    IndexStatus status;
    status.state = *state;
    return StateInWords(status);
  }
  switch (std::get<Bypass>(reason)) {
    case Bypass::kIndexOff: return "the index is switched off";
    case Bypass::kNoIndexRoot: return "no index holds this folder";
    case Bypass::kKeyDiffers: return "the search may see files that the index leaves out";
    case Bypass::kRemoteFileSystem: return "the file system is on another machine";
    case Bypass::kNoRequiredGram: return "any file could match the pattern";
    case Bypass::kNamedFile: return "a single file is searched";
  }
  return "";
}

std::string BytesInWords(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

std::string CountInWords(std::uint64_t number, std::string_view noun) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  const std::string counted = Count(number, noun);
  return digits + counted.substr(counted.find(' '));
}

// As much as fits.
std::string BuildWords::Line(const IndexStatus& status, std::size_t columns) {
  if (status.phase != IndexPhase::kTokenize || status.files_total == 0) {
    return std::string(PhaseInWords(status.phase)).substr(0, columns);
  }
  if (!start_) start_ = Start{status.bytes_done, status.elapsed};
  const std::string count = std::to_string(status.files_done) + " of " + std::to_string(status.files_total) + " files";
  const auto [left, speed] = Pace(status);
  for (const std::string& line : {"reading " + count + left + speed, "reading " + count + left, count + left, count}) {
    if (line.size() <= columns) return line;
  }
  return count.substr(0, columns);
}

// Of this run alone: what an older index had was not read.
BuildWords::PaceWords BuildWords::Pace(const IndexStatus& status) const {
  const double seconds = static_cast<double>((status.elapsed - start_->elapsed).count()) / 1000;
  const std::uint64_t read = status.bytes_done - std::min(start_->bytes, status.bytes_done);
  if (seconds <= 0 || read == 0) return {};
  const double rate = static_cast<double>(read) / seconds;
  const std::uint64_t left = status.bytes_total - std::min(status.bytes_done, status.bytes_total);
  return {", " + TimeInWords(static_cast<double>(left) / rate) + " left",
          ", " + BytesInWords(static_cast<std::uint64_t>(rate)) + "/s"};
}

}  // namespace forge::cli
