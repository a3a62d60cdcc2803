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
  root_->place = todo_.insert(todo_.end(), root_);
}

FolderQueue::~FolderQueue() {
  {
    const std::lock_guard lock(mu_);
    stop_ = true;
  }
  work_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void FolderQueue::StartHelpers(int count) {
  try {
    for (int i = 0; i < count; ++i) helpers_.emplace_back([this] { Help(); });
  } catch (const std::system_error&) {
    // A limit on processes. The reader lists what nobody else does.
  }
}

bool FolderQueue::Await(Folder& folder, const Deadline& deadline) {
  std::unique_lock lock(mu_);
  if (folder.state == Folder::State::kPending) {
    folder.state = Folder::State::kTaken;
    ListAndFinish(folder, lock);
  }
  while (folder.state != Folder::State::kListed) {
    if (deadline.over()) return false;
    if (const FolderPtr other = TakeFirst()) {
      ListAndFinish(*other, lock);
      continue;
    }
    awaited_ = &folder;
    listed_.wait_until(lock, std::min(deadline.at(), Clock::now() + kPatience));
    awaited_ = nullptr;
  }
  const bool was_full = ahead_ >= kWindow;
  ahead_ -= folder.items.size();
  if (was_full && ahead_ < kWindow && idle_ > 0) work_.notify_all();
  return true;
}

FolderPtr FolderQueue::TakeFirst() {
  if (ahead_ >= kWindow) return nullptr;
  // Those passed over are being listed: at most as many as there are threads.
  const auto first =
      std::find_if(todo_.begin(), todo_.end(), [](const FolderPtr& f) { return f->state == Folder::State::kPending; });
  if (first == todo_.end()) return nullptr;
  (*first)->state = Folder::State::kTaken;
  return *first;
}

void FolderQueue::ListAndFinish(Folder& folder, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  lister_.List(folder, stop_);
  lock.lock();
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
  if (awaited_ == &folder) listed_.notify_one();
  if (children > 1 && idle_ > 0) work_.notify_all();
}

void FolderQueue::Help() {
  std::unique_lock lock(mu_);
  while (!stop_) {
    if (const FolderPtr folder = TakeFirst()) {
      ListAndFinish(*folder, lock);
      continue;
    }
    ++idle_;
    work_.wait(lock);
    --idle_;
  }
}

}  // namespace forge
