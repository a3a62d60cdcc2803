// Runs the steps of a RootIndex: in a thread of a server, or in a command that
// waits.
//
//   auto runner = Runner::Start(root, automatic, low_priority);
//   runner->Stop();                     // asks it to end
//   runner->AwaitOrAbandon(deadline);   // within the time; else nothing more is saved
//   runner.reset();                     // joins the thread
//
// The thread is always joined. Its steps are cooperative and bounded: walks and
// reads check for Stop() at each folder and each few hundred files. One file,
// one segment or one transaction is not interrupted; the configuration limits
// their size. See docs/index.md, "The end of a server".
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "base/deadline.h"
#include "base/mutex.h"
#include "forge/index.h"
#include "forge/result.h"
#include "indexer/root_index.h"

namespace forge::indexer {

class Runner {
 public:
  // Null if the system starts no more threads. `root` outlives the runner.
  static std::unique_ptr<Runner> Start(RootIndex& root, bool automatic, bool low_priority);
  // Stops and joins.
  ~Runner();

  void Stop();
  // If the thread has not ended by then, the index is abandoned.
  void AwaitOrAbandon(const Deadline& deadline) EXCLUDES(mutex_);

 private:
  Runner(RootIndex& root, bool automatic, bool low_priority);
  void Run(bool automatic, bool low_priority) EXCLUDES(mutex_);

  RootIndex& root_;
  Mutex mutex_;
  Condition change_;
  bool ended_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses the others
};

// Builds while the caller waits, and reports progress several times a second.
// Fails if it may not be stored, if another process writes it, if there is no whole
// index afterwards, or if it could not be stored. A tree that `auto` leaves without an
// index is no failure, and neither is an index that is configured to stay in memory.
Status BuildNow(RootIndex& root, const std::function<void(const IndexStatus&)>& progress, const CancelToken& cancel);

}  // namespace forge::indexer
