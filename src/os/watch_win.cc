#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "base/path.h"
#include "os/system_win.h"
#include "os/watch.h"

namespace forge::os {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;  // as much as a network allows
constexpr DWORD kWhat = FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_DIR_NAME | FILE_NOTIFY_CHANGE_ATTRIBUTES |
                        FILE_NOTIFY_CHANGE_SIZE | FILE_NOTIFY_CHANGE_LAST_WRITE | FILE_NOTIFY_CHANGE_CREATION |
                        FILE_NOTIFY_CHANGE_SECURITY;

bool IsFolderNow(const std::string& path) {
  const DWORD attributes = GetFileAttributesW(ExtendedPath(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

// One request of the system for the whole tree below the first folder that is added; a
// watch is a name for one of its folders. A request for each folder would hold a handle
// and 64 KB of the kernel's memory each.
class TreeWatcher final : public Watcher {
 public:
  TreeWatcher() : event_(DescriptorOf(CreateEventW(nullptr, /*bManualReset=*/TRUE, FALSE, nullptr))) {}
  ~TreeWatcher() override {
    const Lock lock(mutex_);
    if (!reading_) return;
    CancelIoEx(HandleOf(top_.get()), &state_);
    DWORD count = 0;
    GetOverlappedResult(HandleOf(top_.get()), &state_, &count, TRUE);
  }
  TreeWatcher(const TreeWatcher&) = delete;
  TreeWatcher& operator=(const TreeWatcher&) = delete;

  OsResult<WatchId> Add(int folder, const std::string& path) override {
    const Lock lock(mutex_);
    if (!top_.valid()) {
      if (const OsResult<bool> begun = Start(folder, path); !begun.ok()) return begun.error();
    }
    if (!IsWithin(path, top_path_)) return OsError{EXDEV};
    const auto [at, is_new] = watches_.try_emplace(path, next_);
    if (is_new) ++next_;
    return at->second;
  }

  void Remove(WatchId watch) override {
    const Lock lock(mutex_);
    std::erase_if(watches_, [&](const auto& entry) { return entry.second == watch; });
  }

  bool Drain(std::vector<WatchEvent>& events) override {
    const Lock lock(mutex_);
    // Each turn takes one buffer. A program that writes without end must not keep this
    // loop from returning.
    for (int turn = 0; reading_ && turn < 16; ++turn) {
      DWORD count = 0;
      if (GetOverlappedResult(HandleOf(top_.get()), &state_, &count, FALSE) == 0) {
        const DWORD code = GetLastError();
        if (code == ERROR_IO_INCOMPLETE) return true;
        reading_ = false;
        // More happened than fits: what, nobody knows.
        if (code != ERROR_NOTIFY_ENUM_DIR) return false;
        count = 0;
      }
      if (count == 0) {
        events.push_back({.kind = WatchEvent::Kind::kOverflow});
      } else {
        Decode(count, events);
      }
      if (!Read()) return false;
    }
    return reading_ || !top_.valid();
  }

  int fd() const override { return event_.get(); }

  // The system tells of a write when the file is closed or flushed, and of anything at
  // all some time after the call that did it has returned.
  bool vouches() const override { return false; }

 private:
  // By its handle, not by its name, which may lead elsewhere by now.
  OsResult<bool> Start(int folder, const std::string& path) REQUIRES(mutex_) {
    top_ = Fd(DescriptorOf(ReOpenFile(HandleOf(folder), FILE_LIST_DIRECTORY,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OVERLAPPED)));
    if (!top_.valid()) return LastError();
    top_path_ = path;
    if (Read()) return true;
    const OsError error = LastError();
    top_.Reset();
    return error;
  }

  bool Read() REQUIRES(mutex_) {
    state_ = {};
    state_.hEvent = HandleOf(event_.get());
    reading_ = ReadDirectoryChangesW(HandleOf(top_.get()), buffer_.data(), static_cast<DWORD>(buffer_.size()),
                                     /*bWatchSubtree=*/TRUE, kWhat, nullptr, &state_, nullptr) != 0;
    return reading_;
  }

  void Decode(std::size_t size, std::vector<WatchEvent>& events) REQUIRES(mutex_) {
    constexpr std::size_t kHead = offsetof(FILE_NOTIFY_INFORMATION, FileName);
    for (std::size_t at = 0; at + kHead <= size;) {
      FILE_NOTIFY_INFORMATION head;
      std::memcpy(&head, buffer_.data() + at, kHead);
      std::wstring name(std::min<std::size_t>(head.FileNameLength, size - at - kHead) / sizeof(wchar_t), L'\0');
      std::memcpy(name.data(), buffer_.data() + at + kHead, name.size() * sizeof(wchar_t));
      std::replace(name.begin(), name.end(), L'\\', L'/');
      Take(head.Action, JoinPath(top_path_, Bytes(name)), events);
      if (head.NextEntryOffset == 0) break;
      at += head.NextEntryOffset;
    }
  }

  // Entries of a folder that is not watched are of no interest: a new folder is listed
  // after it has been added.
  void Take(DWORD action, const std::string& path, std::vector<WatchEvent>& events) REQUIRES(mutex_) {
    const auto parent = watches_.find(std::string(ParentPath(path)));
    if (parent == watches_.end()) return;
    WatchEvent event = {WatchEvent::Kind::kChanged, parent->second, std::string(LastName(path)), false, 0};
    switch (action) {
      case FILE_ACTION_ADDED:
      case FILE_ACTION_RENAMED_NEW_NAME:
        event.kind = WatchEvent::Kind::kCreated;
        event.is_folder = IsFolderNow(path);
        break;
      case FILE_ACTION_REMOVED:
      case FILE_ACTION_RENAMED_OLD_NAME:
        event.kind = WatchEvent::Kind::kRemoved;
        event.is_folder = watches_.contains(path);
        break;
      default:
        if (watches_.contains(path)) return;  // a folder changes with its entries, which are reported
        if (!events.empty() && events.back() == event) return;
    }
    const bool gone = event.kind == WatchEvent::Kind::kRemoved && event.is_folder;
    events.push_back(std::move(event));
    if (!gone) return;
    events.push_back({.kind = WatchEvent::Kind::kFolderGone, .watch = watches_.at(path)});
    watches_.erase(path);
  }

  const Fd event_;
  Mutex mutex_;
  Fd top_ GUARDED_BY(mutex_);
  std::string top_path_ GUARDED_BY(mutex_);
  bool reading_ GUARDED_BY(mutex_) = false;
  WatchId next_ GUARDED_BY(mutex_) = 1;
  std::map<std::string, WatchId, std::less<>> watches_ GUARDED_BY(mutex_);  // by path
  OVERLAPPED state_ GUARDED_BY(mutex_) = {};
  alignas(DWORD) std::array<char, kBufferBytes> buffer_ GUARDED_BY(mutex_);
};

// Volumes of this machine whose stamps follow its clock.
bool IsLocalWithFineStamps(int folder) {
  std::array<wchar_t, 32> name = {};
  if (GetVolumeInformationByHandleW(HandleOf(folder), nullptr, 0, nullptr, nullptr, nullptr, name.data(),
                                    static_cast<DWORD>(name.size())) == 0) {
    return false;
  }
  const std::wstring system = name.data();
  FILE_REMOTE_PROTOCOL_INFO remote;
  const bool is_remote =
      GetFileInformationByHandleEx(HandleOf(folder), FileRemoteProtocolInfo, &remote, sizeof remote) != 0;
  return !is_remote && (system == L"NTFS" || system == L"ReFS");
}

}  // namespace

OsResult<std::unique_ptr<Watcher>> MakeWatcher() { return std::unique_ptr<Watcher>(std::make_unique<TreeWatcher>()); }

bool WatchableFolder(int folder) { return IsLocalWithFineStamps(folder); }

// The clock ticks 64 times a second. FAT stores even seconds.
std::int64_t StampGranularityNs(int folder) { return IsLocalWithFineStamps(folder) ? 100'000'000 : 2'100'000'000; }

}  // namespace forge::os
