#include "os/running_child.h"

#include <algorithm>
#include <utility>

namespace forge::os {

OsResult<RunOutcome> RunningChild::Wait(const Deadline& deadline, const OutputSink& sink, const LookAfter& look_after) {
  const Clock::time_point start = Clock::now();
  auto run_time = kFirstLook;
  while (true) {
    if (deadline.cancelled()) return Finish(RunOutcome::End::kCancelled);
    if (deadline.expired()) return Finish(RunOutcome::End::kDeadline);
    const Deadline look = look_after ? Deadline(start + run_time) : Deadline();
    if (look.expired()) {
      if (!look_after()) return Finish(RunOutcome::End::kStopped);
      run_time *= 2;
      continue;
    }
    switch (Step(Deadline(std::min(deadline.at(), look.at()), deadline.cancel()), sink)) {
      case Next::kGoOn: break;
      case Next::kEnough: return Finish(RunOutcome::End::kStopped);
      case Next::kEnded: return Finish(RunOutcome::End::kExited);
    }
  }
}

void RunningChild::KeepStderr(std::string_view piece) {
  const std::size_t room = kStderrLimit - outcome_.stderr_text.size();
  outcome_.stderr_cut |= piece.size() > room;
  outcome_.stderr_text.append(piece.substr(0, room));
}

OsResult<RunOutcome> RunningChild::Finish(RunOutcome::End end) {
  outcome_.end = end;
  if (const OsResult<bool> ended = End(); !ended.ok()) return ended.error();
  return std::move(outcome_);
}

}  // namespace forge::os
