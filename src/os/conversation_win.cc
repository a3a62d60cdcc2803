#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>
#include <utility>

#include "base/cancel.h"
#include "base/wake_event.h"
#include "os/conversation.h"
#include "os/system_win.h"
// After windows.h.
#include <tlhelp32.h>

namespace forge::os {
namespace {

constexpr int kLookAroundMs = 1000;
constexpr int kAgainMs = 5;
constexpr DWORD kMostAtOnce = 4096;

int ParentProcess() {
  const Fd list(DescriptorOf(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0)));
  PROCESSENTRY32W entry = {};
  entry.dwSize = sizeof entry;
  const DWORD own = GetCurrentProcessId();
  for (BOOL more = Process32FirstW(HandleOf(list.get()), &entry); more != 0;
       more = Process32NextW(HandleOf(list.get()), &entry)) {
    if (entry.th32ProcessID == own) return static_cast<int>(entry.th32ParentProcessID);
  }
  return 0;
}

Fd OpenProcessNumber(int number) {
  const HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(number));
  return Fd(process == nullptr ? -1 : DescriptorOf(process));
}

// ERROR_SUCCESS if it is an open pipe, or has something left to read.
DWORD StateOfPipe(int in) {
  DWORD left = 0;
  return PeekNamedPipe(HandleOf(in), nullptr, 0, nullptr, &left, nullptr) != 0 ? ERROR_SUCCESS : GetLastError();
}

// The other side has closed, or we were told to stop.
bool IsEnd(DWORD code) {
  return ErrorOf(code).code == EPIPE || code == ERROR_HANDLE_EOF || code == ERROR_OPERATION_ABORTED;
}

struct Watched {
  CancelToken stop;
  int parent;
  int input;  // -1: we are reading it
  const std::atomic<bool>& over;
};

// Ends the blocking call that the thread makes while the object lives, as soon as
// there is a reason. A pipe that another program made for us has no other way to
// wait for it and for something else.
class Interrupter {
 public:
  explicit Interrupter(Watched watched) : watched_(std::move(watched)), parent_(OpenProcessNumber(watched_.parent)) {
    HANDLE self = nullptr;
    DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &self, 0, FALSE,
                    DUPLICATE_SAME_ACCESS);
    thread_ = Fd(DescriptorOf(self));
    watcher_ = std::thread([this] { Watch(); });
  }
  ~Interrupter() {
    done_.Set();
    watcher_.join();
  }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

 private:
  void Watch() const {
    while (true) {
      const int first = WaitAny({done_.descriptor(), WakeFd(watched_.stop), parent_.get()}, kLookAroundMs);
      if (first == 0) return;
      if (first > 0 || watched_.over) break;
      if (watched_.input >= 0 && ErrorOf(StateOfPipe(watched_.input)).code == EPIPE) break;
    }
    // The call may not have begun yet.
    while (WaitAny({done_.descriptor()}, kAgainMs) != 0) CancelSynchronousIo(HandleOf(thread_.get()));
  }

  const Watched watched_;
  const Fd parent_;
  Fd thread_;
  WakeEvent done_;
  std::thread watcher_;
};

}  // namespace

Conversation::Conversation(int in, int out, CancelToken stop)
    : in_(in), out_(out), stop_(std::move(stop)), parent_(ParentProcess()) {}

std::size_t Conversation::Read(char* buffer, std::size_t size) const {
  if (over_ || stop_.cancelled()) return 0;
  const Interrupter interrupter({stop_, parent_, -1, over_});
  DWORD count = 0;
  const auto most = static_cast<DWORD>(std::min<std::size_t>(size, 1U << 30));
  // A program may write nothing into a pipe, and we read that; it is not the end.
  while (ReadFile(HandleOf(in_), buffer, most, &count, nullptr) != 0) {
    if (count > 0 || StateOfPipe(in_) != ERROR_SUCCESS) return count;
  }
  if (const DWORD code = GetLastError(); !IsEnd(code)) failure_ = ErrorOf(code).code;
  return 0;
}

bool Conversation::Write(std::string_view bytes) const {
  if (over_ || stop_.cancelled()) return false;
  const Interrupter interrupter({stop_, parent_, in_, over_});
  while (!bytes.empty()) {
    DWORD count = 0;
    const auto most = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), kMostAtOnce));
    if (WriteFile(HandleOf(out_), bytes.data(), most, &count, nullptr) == 0) {
      if (const DWORD code = GetLastError(); !IsEnd(code)) failure_ = ErrorOf(code).code;
      over_ = true;
      return false;
    }
    bytes.remove_prefix(count);
  }
  return true;
}

// A write to a pipe without a reader fails; there is no way to ask before.
bool Conversation::HasReader() const { return !over_ && !stop_.cancelled(); }

}  // namespace forge::os
