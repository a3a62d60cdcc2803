// Which folder to list next, for the reader and its helpers.
//
// All folders that are not listed yet stand in one list, in the order of the
// stream; the subfolders of a listed folder take its place there. The reader
// needs the first folder of the list soonest, so helpers always take the first
// that is free. They stop while kWindow entries are listed that the reader has
// not reached. That bounds memory, and the work that is lost when the reader
// stops early.
//
// The reader lists a folder that it needs by itself if no helper has taken it. So
// no helper is needed for progress, and a small tree is walked without any
// thread.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <thread>
#include <vector>

#include "base/deadline.h"
#include "base/mutex.h"
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

  // For the reader: returns when `folder` is listed; false if the deadline
  // came first. Its entries no longer count as ahead of the reader.
  bool Await(Folder& folder, const Deadline& deadline);

 private:
  FolderPtr TakeFirst() REQUIRES(mutex_);  // null if there is nothing to do now
  // Releases the mutex while it lists.
  void ListAndFinish(Folder& folder) REQUIRES(mutex_);
  void Help();

  Lister& lister_;
  const FolderPtr root_;
  std::atomic<bool> stop_ = false;

  Mutex mutex_;
  Condition listed_;  // the reader waits
  Condition work_;    // helpers wait
  std::list<FolderPtr> todo_ GUARDED_BY(mutex_);
  std::size_t ahead_ GUARDED_BY(mutex_) = 0;
  std::size_t idle_ GUARDED_BY(mutex_) = 0;  // helpers that wait
  const Folder* awaited_ GUARDED_BY(mutex_) = nullptr;
  std::vector<std::thread> helpers_;  // used by the reader's thread only
};

}  // namespace forge
