#include "cli/search_output.h"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <utility>

#include "os/file_times.h"
#include "os/named_file.h"

namespace forge::cli {
namespace {

os::FileTime TimeFor(SortKey key) {
  switch (key) {
    case SortKey::kAccessed: return os::FileTime::kAccessed;
    case SortKey::kCreated: return os::FileTime::kCreated;
    default: return os::FileTime::kModified;
  }
}

}  // namespace

SearchOutput::SearchOutput(const SearchFlags& flags, Style style, bool json, Host& host, ProgressLine* progress)
    : flags_(flags), host_(host), progress_(progress), printer_(std::move(style)), json_(json) {
  if (!host.descriptors) return;
  const auto info = os::Stat(host.descriptors->out);
  if (info.ok() && info->type == os::FileType::kRegular) output_ = *info;
}

bool SearchOutput::IsOwnOutput(std::string_view path) {
  if (!output_ || named_file_ || flags_.mode == OutputMode::kNames) return false;
  if (path == asked_) return is_own_;
  asked_ = path;
  const auto info = os::StatPath(asked_);
  is_own_ = info.ok() && info->device == output_->device && info->inode == output_->inode;
  return is_own_;
}

// Whether what comes is kept until the end.
bool SearchOutput::holds() const {
  return flags_.reverse || (flags_.sort != SortKey::kNone && flags_.sort != SortKey::kPath);
}

SearchOutput::Group& SearchOutput::GroupOf(std::string_view path) {
  if (groups_.empty() || groups_.back().path != path) groups_.push_back({std::string(path), {}, {}, 0});
  return groups_.back();
}

void SearchOutput::OnEvent(const Event& event) {
  if (closed_ || IsOwnOutput(event.path)) return;
  const bool match = event.type == Event::Type::kMatch;
  found_ |= match;
  matched_lines_ += match ? 1 : 0;
  if (holds()) {
    GroupOf(event.path).events.push_back(event);
  } else {
    PrintEvent(event);
  }
}

void SearchOutput::OnFile(const FileReport& file) {
  if (closed_ || IsOwnOutput(file.path)) return;
  const bool without = flags_.mode == OutputMode::kFilesWithout || flags_.mode == OutputMode::kNames;
  found_ |= without ? file.matched_lines == 0 : file.matched_lines > 0;
  files_with_match_ += file.matched_lines > 0 ? 1 : 0;
  matches_ += file.matches;
  if (flags_.mode != OutputMode::kLines) matched_lines_ += file.matched_lines;
  if (holds()) {
    GroupOf(file.path).reports.push_back(file);
  } else {
    PrintFile(file);
  }
}

void SearchOutput::PrintEvent(const Event& event) {
  const Spill write = [this](std::string& text) {
    Write(text);
    text.clear();
    return !closed_;
  };
  text_.clear();
  if (json_) {
    lines_.OnEvent(event, text_, write);
  } else {
    printer_.OnEvent(event, text_, write);
  }
  Write(text_);
}

void SearchOutput::PrintFile(const FileReport& file) {
  std::string text;
  switch (flags_.mode) {
    case OutputMode::kLines:
      if (json_) lines_.OnFile(file, text);
      break;
    case OutputMode::kFiles: printer_.OnFile(file.path, std::nullopt, text); break;
    case OutputMode::kNames:
      if (!flags_.quiet) printer_.OnFile(file.path, std::nullopt, text);
      break;
    case OutputMode::kFilesWithout:
      if (file.matched_lines == 0) printer_.OnFile(file.path, std::nullopt, text);
      break;
    case OutputMode::kCount: printer_.OnFile(file.path, file.matched_lines, text); break;
    case OutputMode::kCountMatches: printer_.OnFile(file.path, file.matched_lines == 0 ? 0 : file.matches, text); break;
    case OutputMode::kQuiet:
    case OutputMode::kTypes: break;
  }
  Write(text);
}

void SearchOutput::PrintGroups() {
  if (flags_.sort == SortKey::kPath) {
    std::reverse(groups_.begin(), groups_.end());
  } else {
    for (Group& group : groups_) group.time = os::TimeOf(group.path, TimeFor(flags_.sort));
    std::stable_sort(groups_.begin(), groups_.end(), [this](const Group& a, const Group& b) {
      return flags_.reverse ? a.time > b.time : a.time < b.time;
    });
  }
  for (const Group& group : groups_) {
    for (const Event& event : group.events) PrintEvent(event);
    for (const FileReport& file : group.reports) PrintFile(file);
  }
}

void SearchOutput::Finish(std::uint64_t files, std::uint64_t bytes, std::chrono::nanoseconds elapsed) {
  if (holds()) PrintGroups();
  if (json_) {
    std::string text;
    lines_.Finish(files, bytes, elapsed, text);
    Write(text);
  } else if (flags_.stats) {
    PrintStats(files, bytes, elapsed);
  }
  host_.out.flush();  // before the notes, where both go to one terminal
}

void SearchOutput::PrintStats(std::uint64_t files, std::uint64_t bytes, std::chrono::nanoseconds elapsed) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.6f seconds", static_cast<double>(elapsed.count()) / 1e9);
  const auto line = [](std::uint64_t number, const char* what) { return std::to_string(number) + what; };
  Write("\n" + line(matches_, " matches\n") + line(matched_lines_, " matched lines\n") +
        line(files_with_match_, " files contained matches\n") + line(files, " files searched\n") +
        line(bytes_printed_, " bytes printed\n") + line(bytes, " bytes searched\n") + seconds + " spent searching\n" +
        seconds + "\n");
}

void SearchOutput::Write(const std::string& text) {
  if (closed_ || text.empty()) return;
  if (progress_ != nullptr) {
    progress_->Around([&] { Send(text); });
  } else {
    Send(text);
  }
  bytes_printed_ += text.size();
  if (host_.out) return;
  closed_ = true;
  host_.stop.Cancel();
}

void SearchOutput::Send(const std::string& text) {
  host_.out << text;
  if (host_.out_is_terminal) host_.out.flush();
}

}  // namespace forge::cli
