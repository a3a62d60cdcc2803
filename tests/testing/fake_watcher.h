// A watcher that reports what the test pushes.
//
//   FakeWatcher watcher;
//   const auto id = *watcher.Add(-1, "/a");
//   watcher.Push({.kind = WatchEvent::Kind::kChanged, .watch = id, .name = "x"});
//
// Thread-safe, as a watcher must be.
#pragma once

#include <cerrno>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "os/watch.h"
#include "tests/testing/level_event.h"

namespace forge::testing {

class FakeWatcher final : public os::Watcher {
 public:
  // --- The script.

  void Push(os::WatchEvent event) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(event));
    wake_.Set();
  }

  // An event for an entry of a watched folder; ignored if the folder is not
  // watched.
  void Push(const std::string& folder, os::WatchEvent::Kind kind, std::string name, bool is_folder = false) {
    const os::WatchId watch = IdOf(folder);
    if (watch >= 0) Push({.kind = kind, .watch = watch, .name = std::move(name), .is_folder = is_folder});
  }

  // The next `count` folders may be added; then Add fails.
  void FailAddAfter(std::size_t count, int code = ENOSPC) {
    const std::lock_guard lock(mutex_);
    adds_left_ = count;
    add_error_ = code;
  }

  void Break() {
    const std::lock_guard lock(mutex_);
    broken_ = true;
    wake_.Set();
  }

  // Called when a folder is added, and when events are fetched. Set it before use.
  std::function<void()> on_use = [] {};

  // --- What was asked for.

  // -1: not watched.
  os::WatchId IdOf(const std::string& folder) const {
    const std::lock_guard lock(mutex_);
    const auto found = ids_.find(folder);
    return found == ids_.end() ? -1 : found->second;
  }

  std::vector<std::string> Folders() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> folders;
    for (const auto& [folder, id] : ids_) folders.push_back(folder);
    return folders;
  }

  // --- Watcher.

  os::OsResult<os::WatchId> Add(int /*folder*/, const std::string& absolute_folder) override {
    on_use();
    const std::lock_guard lock(mutex_);
    if (const auto found = ids_.find(absolute_folder); found != ids_.end()) return found->second;
    if (add_error_ != 0 && adds_left_ == 0) return os::OsError{add_error_};
    if (add_error_ != 0) --adds_left_;
    ids_[absolute_folder] = ++last_id_;
    return last_id_;
  }

  void Remove(os::WatchId watch) override {
    const std::lock_guard lock(mutex_);
    Forget(watch);
    std::erase_if(queue_, [watch](const os::WatchEvent& event) { return event.watch == watch; });
  }

  bool Drain(std::vector<os::WatchEvent>& events) override {
    on_use();
    const std::lock_guard lock(mutex_);
    if (broken_) return false;
    for (os::WatchEvent& event : queue_) {
      if (event.kind == os::WatchEvent::Kind::kFolderGone) Forget(event.watch);
      events.push_back(std::move(event));
    }
    queue_.clear();
    wake_.Reset();
    return true;
  }

  int fd() const override { return wake_.descriptor(); }
  bool vouches() const override { return vouching; }

  bool vouching = true;  // set it before use

 private:
  void Forget(os::WatchId watch) {
    std::erase_if(ids_, [watch](const auto& entry) { return entry.second == watch; });
  }

  mutable std::mutex mutex_;
  LevelEvent wake_;
  std::vector<os::WatchEvent> queue_;
  std::map<std::string, os::WatchId> ids_;
  os::WatchId last_id_ = 0;
  std::size_t adds_left_ = 0;
  int add_error_ = 0;
  bool broken_ = false;
};

}  // namespace forge::testing
