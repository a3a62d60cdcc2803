#include "cli/progress_line.h"

#include <ostream>
#include <utility>

#include "base/strings.h"
#include "cli/index_words.h"

namespace forge::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};  // without output, before the line appears
constexpr std::chrono::milliseconds kPace{100};

}  // namespace

// "files searched; the index is being built: 10 of 200 files": the second half only
// where it fits.
std::string ProgressText(const Progress& progress, std::chrono::seconds elapsed, std::size_t columns) {
  const std::string_view what = progress.what.empty() ? "files searched" : progress.what;
  const std::size_t noun = what.find(' ');
  std::string count = CountInWords(progress.done, "file");
  if (progress.total)
    count = CountInWords(progress.done, "").substr(0, count.find(' ')) + " of " + CountInWords(*progress.total, "file");
  const std::string_view rest = what.starts_with("files ") ? what.substr(noun) : " searched";
  const std::string time = ", " + std::to_string(elapsed.count()) + " s";
  const std::size_t half = std::min(rest.find(';'), rest.size());
  const std::string brief = count + std::string(rest.substr(0, half)) + time;
  const std::string whole = brief + std::string(rest.substr(half));
  return whole.size() <= columns ? whole : brief.substr(0, columns);
}

ProgressLine::ProgressLine(std::ostream& out, std::function<std::size_t()> columns)
    : out_(out), columns_(std::move(columns)), thread_([this] { Run(); }) {}

ProgressLine::~ProgressLine() {
  {
    const Lock lock(mutex_);
    quit_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void ProgressLine::Report(const Progress& progress) {
  const Lock lock(mutex_);
  what_ = progress.what;
  progress_ = progress;
  progress_.what = what_;
}

void ProgressLine::Around(const std::function<void()>& print) {
  const Lock lock(mutex_);
  Erase();
  print();
  quiet_since_ = std::chrono::steady_clock::now();
}

void ProgressLine::Run() {
  const Lock lock(mutex_);
  while (!quit_) {
    const Time now = std::chrono::steady_clock::now();
    if (now >= quiet_since_ + kPatience) Draw();
    changed_.WaitUntil(mutex_, std::max(now + kPace, quiet_since_ + kPatience));
  }
  Erase();
}

void ProgressLine::Draw() {
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_);
  const std::size_t columns = columns_();
  // Room for the "^C" that a terminal shows, and not the last column: some
  // terminals go to the next line there.
  out_ << "\r\033[K" << ProgressText(progress_, elapsed, columns - std::min<std::size_t>(columns, 3)) << std::flush;
  drawn_ = true;
}

void ProgressLine::Erase() {
  if (std::exchange(drawn_, false)) out_ << "\r\033[K" << std::flush;
}

}  // namespace forge::cli
