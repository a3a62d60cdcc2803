#include "tree/folder_queue.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace forge {
namespace {

// How often a waiting reader looks at the cancel flag.
constexpr std::chrono::milliseconds kPatience(10);

}  // namespace

FolderQueue::FolderQueue(Lister& lister, FolderPtr root) : lister_(lister), root_(std::move(root)) {
  const Lock lock(mutex_);
  root_->place = todo_.insert(todo_.end(), root_);
}

FolderQueue::~FolderQueue() {
  {
    const Lock lock(mutex_);
    stop_ = true;
  }
  work_.NotifyAll();
  for (std::thread& helper : helpers_) helper.join();
}

void FolderQueue::StartHelpers(int count) {
  try {
    for (int i = 0; i < count; ++i) helpers_.emplace_back([this] { Help(); });
  } catch (const std::system_error&) {
    // The system limits processes. The reader lists the folders that no helper
    // takes.
  }
}

bool FolderQueue::Await(Folder& folder, const Deadline& deadline) {
  const Lock lock(mutex_);
  if (folder.state == Folder::State::kPending) {
    folder.state = Folder::State::kTaken;
    ListAndFinish(folder);
  }
  while (folder.state != Folder::State::kListed) {
    if (deadline.over()) return false;
    if (const FolderPtr other = TakeFirst()) {
      ListAndFinish(*other);
      continue;
    }
    awaited_ = &folder;
    listed_.WaitUntil(mutex_, std::min(deadline.at(), Clock::now() + kPatience));
    awaited_ = nullptr;
  }
  if (!folder.complete) return false;
  const bool was_full = ahead_ >= kWindow;
  ahead_ -= folder.items.size();
  if (was_full && ahead_ < kWindow && idle_ > 0) work_.NotifyAll();
  return true;
}

FolderPtr FolderQueue::TakeFirst() {
  if (ahead_ >= kWindow) return nullptr;
  // Helpers are listing those passed over: at most as many as there are
  // threads.
  const auto first =
      std::find_if(todo_.begin(), todo_.end(), [](const FolderPtr& f) { return f->state == Folder::State::kPending; });
  if (first == todo_.end()) return nullptr;
  (*first)->state = Folder::State::kTaken;
  return *first;
}

void FolderQueue::ListAndFinish(Folder& folder) {
  {
    const Unlocked unlocked(mutex_);
    lister_.List(folder, stop_);
  }
  std::size_t children = 0;
  for (Item& item : folder.items) {
    if (item.kind != Item::Kind::kFolder) continue;
    const FolderPtr& child = item.extra->folder;
    child->place = todo_.insert(folder.place, child);
    ++children;
  }
  todo_.erase(folder.place);
  folder.state = Folder::State::kListed;
  ahead_ += folder.items.size();
  if (awaited_ == &folder) listed_.NotifyOne();
  if (children > 1 && idle_ > 0) work_.NotifyAll();
}

void FolderQueue::Help() {
  const Lock lock(mutex_);
  while (!stop_) {
    if (const FolderPtr folder = TakeFirst()) {
      ListAndFinish(*folder);
      continue;
    }
    ++idle_;
    work_.Wait(mutex_);
    --idle_;
  }
}

}  // namespace forge
