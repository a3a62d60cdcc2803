#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

#include "base/cancel.h"
#include "base/path.h"
#include "base/strings.h"
#include "os/command_line_win.h"
#include "os/named_file.h"
#include "os/process.h"
#include "os/running_child.h"
#include "os/system_win.h"

// A child belongs to a job object, which ends everything in it when the last handle
// to it is closed: also when this process ends in whatever way.
namespace forge::os {
namespace {

std::wstring LineOf(const Command& command) {
  std::wstring line;
  AppendQuoted(Backslashes(Wide(command.program)), line);
  for (const std::string& word : command.args) AppendQuoted(Wide(word), line);
  return line;
}

std::wstring BlockOf(std::vector<std::string> variables) {
  std::sort(variables.begin(), variables.end());
  std::wstring block;
  for (const std::string& variable : variables) block.append(Wide(variable)).push_back(L'\0');
  block.push_back(L'\0');
  return block;
}

struct Pipe {
  Fd read;   // for overlapped reading
  Fd write;  // a child may inherit it
};

// Anonymous pipes cannot be read together with waiting for something else.
OsResult<Pipe> MakePipe() {
  static std::atomic<unsigned> number{0};
  const std::wstring name = L"\\\\.\\pipe\\forge-search." + std::to_wstring(GetCurrentProcessId()) + L"." +
                            std::to_wstring(number.fetch_add(1));
  constexpr DWORD kBytes = 64 * 1024;
  const HANDLE read = CreateNamedPipeW(
      name.c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, kBytes, kBytes, 0, nullptr);
  if (read == INVALID_HANDLE_VALUE) return LastError();
  Pipe pipe{Fd(DescriptorOf(read)), Fd()};
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
  pipe.write = Fd(DescriptorOf(CreateFileW(name.c_str(), GENERIC_WRITE, 0, &inherited, OPEN_EXISTING, 0, nullptr)));
  if (!pipe.write.valid()) return LastError();
  return pipe;
}

// Reads ahead: one read is always under way.
class Reader {
 public:
  explicit Reader(Fd pipe)
      : pipe_(std::move(pipe)), event_(DescriptorOf(CreateEventW(nullptr, /*bManualReset=*/TRUE, FALSE, nullptr))) {
    Begin();
  }
  ~Reader() {
    if (closed_) return;
    CancelIoEx(HandleOf(pipe_.get()), &state_);
    DWORD count = 0;
    GetOverlappedResult(HandleOf(pipe_.get()), &state_, &count, TRUE);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // -1 once the other end is closed.
  int event() const { return closed_ ? -1 : event_.get(); }

  // Takes what has arrived; false if nothing has.
  template <typename Take>
  bool Drain(Take take) {
    DWORD count = 0;
    if (closed_) return false;
    if (GetOverlappedResult(HandleOf(pipe_.get()), &state_, &count, FALSE) == 0) {
      closed_ = GetLastError() != ERROR_IO_INCOMPLETE;
      return false;
    }
    take(std::string_view(buffer_.data(), count));
    Begin();
    return true;
  }

 private:
  void Begin() {
    state_ = {};
    state_.hEvent = HandleOf(event_.get());
    const BOOL done =
        ReadFile(HandleOf(pipe_.get()), buffer_.data(), static_cast<DWORD>(buffer_.size()), nullptr, &state_);
    closed_ = done == 0 && GetLastError() != ERROR_IO_PENDING;
  }

  const Fd pipe_;
  const Fd event_;
  OVERLAPPED state_ = {};
  std::array<char, 65536> buffer_;
  bool closed_ = false;
};

struct Child {
  Fd process;
  Fd job;
};

OsResult<Fd> MakeJob(std::uint64_t max_memory) {
  Fd job(DescriptorOf(CreateJobObjectW(nullptr, nullptr)));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (max_memory != 0) {
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limits.ProcessMemoryLimit = max_memory;
  }
  if (SetInformationJobObject(HandleOf(job.get()), JobObjectExtendedLimitInformation, &limits, sizeof limits) == 0) {
    return LastError();
  }
  return job;
}

// The list of handles that a child inherits: exactly these.
class Inherited {
 public:
  explicit Inherited(std::array<HANDLE, 3> handles) : handles_(handles) {
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    InitializeProcThreadAttributeList(list(), 1, 0, &size);
    UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(), sizeof handles_, nullptr,
                              nullptr);
  }
  ~Inherited() { DeleteProcThreadAttributeList(list()); }
  Inherited(const Inherited&) = delete;
  Inherited& operator=(const Inherited&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

 private:
  std::array<HANDLE, 3> handles_;
  std::vector<char> memory_;
};

OsResult<Child> Start(const Command& command, int out, int err) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
  const Fd nothing(DescriptorOf(
      CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, nullptr)));
  Inherited handles({HandleOf(nothing.get()), HandleOf(out), HandleOf(err)});
  STARTUPINFOEXW start = {};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = HandleOf(nothing.get());
  start.StartupInfo.hStdOutput = HandleOf(out);
  start.StartupInfo.hStdError = HandleOf(err);
  start.lpAttributeList = handles.list();
  std::wstring folder;
  if (command.folder >= 0) {
    const OsResult<std::string> path = RealPath(command.folder);
    if (!path.ok()) return path.error();
    folder = Backslashes(Wide(*path));
  }
  OsResult<Fd> job = MakeJob(command.max_memory);
  if (!job.ok()) return job.error();
  std::wstring line = LineOf(command);
  std::wstring block = BlockOf(command.env);
  PROCESS_INFORMATION made = {};
  constexpr DWORD kHow =
      CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
  if (CreateProcessW(Backslashes(Wide(command.program)).c_str(), line.data(), nullptr, nullptr, TRUE, kHow,
                     block.data(), folder.empty() ? nullptr : folder.c_str(), &start.StartupInfo, &made) == 0) {
    return LastError();
  }
  Child child{Fd(DescriptorOf(made.hProcess)), std::move(*job)};
  const Fd thread(DescriptorOf(made.hThread));
  if (AssignProcessToJobObject(HandleOf(child.job.get()), made.hProcess) == 0) {
    const OsError error = LastError();
    TerminateProcess(made.hProcess, 1);
    return error;
  }
  ResumeThread(made.hThread);
  return child;
}

class Running final : public RunningChild {
 public:
  Running(Child child, Fd out, Fd err) : child_(std::move(child)), out_(std::move(out)), err_(std::move(err)) {}

 private:
  Next Step(const Deadline& deadline, const OutputSink& sink) override {
    // The output first: the end of the child is of interest when none is left.
    WaitAny({out_.event(), err_.event(), child_.process.get(), WakeFd(deadline.cancel())}, deadline.PollTimeout());
    const bool exited = WaitAny({child_.process.get()}, 0) == 0;
    bool wanted = true;
    const bool some_out = out_.Drain([&](std::string_view piece) { wanted = sink(piece); });
    const bool some_err = err_.Drain([&](std::string_view piece) { KeepStderr(piece); });
    if (!wanted) return Next::kEnough;
    return exited && !some_out && !some_err ? Next::kEnded : Next::kGoOn;
  }

  OsResult<bool> End() override {
    TerminateJobObject(HandleOf(child_.job.get()), 1);
    WaitAny({child_.process.get()}, -1);
    DWORD code = 0;
    if (GetExitCodeProcess(HandleOf(child_.process.get()), &code) == 0) return LastError();
    outcome_.exit_code = static_cast<int>(code);
    return true;
  }

  const Child child_;
  Reader out_;
  Reader err_;
};

bool IsProgram(const std::string& path) {
  const OsResult<FileInfo> info = StatPath(path);
  return info.ok() && info->type == FileType::kRegular;
}

// Not .bat and .cmd: for those the system would start a shell, which reads
// arguments in its own way.
std::optional<std::string> WithEnding(const std::string& path) {
  const std::string lower = [&] {
    std::string text = path;
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return text;
  }();
  if (lower.ends_with(".exe") || lower.ends_with(".com")) return IsProgram(path) ? std::optional(path) : std::nullopt;
  return IsProgram(path + ".exe") ? std::optional(path + ".exe") : std::nullopt;
}

}  // namespace

OsResult<RunOutcome> Run(const Command& command, const Deadline& deadline, const OutputSink& sink,
                         const LookAfter& look_after) {
  auto out = MakePipe();
  auto err = MakePipe();
  if (!out.ok()) return out.error();
  if (!err.ok()) return err.error();
  auto child = Start(command, out->write.get(), err->write.get());
  if (!child.ok()) return child.error();
  out->write.Reset();
  err->write.Reset();
  return Running(std::move(*child), std::move(out->read), std::move(err->read)).Wait(deadline, sink, look_after);
}

std::string OwnPath() {
  std::wstring path(MAX_PATH, L'\0');
  while (true) {
    const DWORD size = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (size == 0) return "";
    if (size < path.size()) return OwnForm(Bytes(path.substr(0, size)));
    path.resize(path.size() * 2);
  }
}

OsResult<FileInfo> OwnFile() { return StatPath(OwnPath()); }

std::optional<std::string> FindProgram(const std::string& given, std::string_view search_path) {
  const std::string name = OwnForm(given);
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) return WithEnding(NormalPath(PathFrom(CurrentFolder(), name)));
  for (const std::string_view entry : Split(search_path, ';')) {
    const std::string folder = OwnForm(entry);
    // The current folder may be the tree that is searched: a program from there must
    // not run.
    if (!IsAbsolutePath(folder)) continue;
    if (const auto found = WithEnding(JoinPath(folder, name))) return found;
  }
  return std::nullopt;
}

}  // namespace forge::os
