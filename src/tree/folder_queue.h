// Which folder to list next, for the reader and its helpers.
//
// All folders that are not listed yet stand in one list, in the order of the
// stream; a listed folder is replaced there by its subfolders. The first folder
// of the list is what the reader will need soonest, so helpers always take the
// first that nobody has. They stop while kWindow entries are listed that the
// reader has not reached: that bounds memory, and the work that is lost when
// the reader stops early.
//
// The reader never waits for work that nobody does: a folder that it needs and
// nobody has taken, it lists itself. So no helper is needed for progress, and a
// small tree is walked without any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "base/deadline.h"
#include "tree/folder.h"
#include "tree/lister.h"

namespace forge {

class FolderQueue {
 public:
  static constexpr std::size_t kWindow = 20'000;

  FolderQueue(Lister& lister, FolderPtr root);
  ~FolderQueue();
  FolderQueue(const FolderQueue&) = delete;
  FolderQueue& operator=(const FolderQueue&) = delete;

  void StartHelpers(int count);

  // For the reader: returns once `folder` is listed, false if the deadline is
  // over before. Its entries no longer count as ahead of the reader.
  bool Await(Folder& folder, const Deadline& deadline);

 private:
  FolderPtr TakeFirst();  // with mu_ held; null if there is nothing to do now
  void ListAndFinish(Folder& folder, std::unique_lock<std::mutex>& lock);
  void Help();

  Lister& lister_;
  const FolderPtr root_;
  std::atomic<bool> stop_ = false;

  std::mutex mu_;
  std::condition_variable listed_;    // the reader waits
  std::condition_variable work_;      // helpers wait
  std::list<FolderPtr> todo_;         // guarded by mu_
  std::size_t ahead_ = 0;             // guarded by mu_
  std::size_t idle_ = 0;              // guarded by mu_: helpers waiting
  const Folder* awaited_ = nullptr;   // guarded by mu_
  std::vector<std::thread> helpers_;  // of the reader's thread
};

}  // namespace forge
