#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "os/process.h"
#include "tests/testing/sanitizers.h"
#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"

namespace forge::os {
namespace {

Command Shell(const std::string& script) { return {"/bin/sh", {"-c", script}, {"PATH=/usr/bin:/bin", "X=1"}}; }

struct Ran {
  RunOutcome outcome;
  std::string out;
};

Ran RunShell(const std::string& script, const Deadline& deadline = Deadline::After(20000)) {
  Ran ran;
  auto outcome = os::Run(Shell(script), deadline, [&](std::string_view piece) {
    ran.out.append(piece);
    return true;
  });
  EXPECT_TRUE(outcome.ok());
  ran.outcome = *outcome;
  return ran;
}

TEST(Process, OutputErrorsAndExitCodeArrive) {
  const Ran ran = RunShell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(ran.out, "out\n");
  EXPECT_EQ(ran.outcome.stderr_text, "err\n");
  EXPECT_EQ(ran.outcome.exit_code, 7);
}

TEST(Process, OnlyTheGivenEnvironmentIsSeen) {
  setenv("FORGE_LEAK", "1", 1);
  EXPECT_EQ(RunShell("echo $X$FORGE_LEAK").out, "1\n");
}

TEST(Process, StandardInputIsEmpty) { EXPECT_EQ(RunShell("cat; echo end").out, "end\n"); }

TEST(Process, ABigOutputArrivesWhole) {
  const Ran ran = RunShell("i=0; while [ $i -lt 3000 ]; do printf '%01000d' 0; i=$((i+1)); done");
  EXPECT_EQ(ran.out.size(), 3'000'000U);
}

TEST(Process, AFloodOnStandardErrorIsCapped) {
  const Ran ran = RunShell("head -c 10000000 /dev/zero >&2; echo done");
  EXPECT_EQ(ran.out, "done\n");
  EXPECT_EQ(ran.outcome.stderr_text.size(), kStderrLimit);
  EXPECT_TRUE(ran.outcome.stderr_cut);
}

TEST(Process, ADeadlineKillsTheWholeGroup) {
  const Ran ran = RunShell("sleep 1000 & echo $!; sleep 1000", Deadline::After(200));
  EXPECT_EQ(ran.outcome.end, RunOutcome::End::kDeadline);
  const pid_t grandchild = std::atoi(ran.out.c_str());
  ASSERT_GT(grandchild, 1);
  // It is killed already, but a loaded machine may need a moment for that.
  const Fd alive(static_cast<int>(syscall(SYS_pidfd_open, grandchild, 0)));
  pollfd ended{alive.get(), POLLIN, 0};
  EXPECT_TRUE(!alive.valid() || poll(&ended, 1, 10'000) == 1);
}

TEST(Process, AGrandchildThatHoldsThePipeIsNotWaitedFor) {
  const Ran ran = RunShell("sleep 1000 & echo out");
  EXPECT_EQ(ran.outcome.end, RunOutcome::End::kExited);
  EXPECT_EQ(ran.out, "out\n");
}

TEST(Process, AChildThatClosesItsPipesAndSleepsMeetsTheDeadline) {
  const Ran ran = RunShell("exec >&- 2>&-; sleep 1000", Deadline::After(200));
  EXPECT_EQ(ran.outcome.end, RunOutcome::End::kDeadline);
}

TEST(Process, CancellingWakesAtOnce) {
  CancelSource source;
  std::thread canceller([&] { source.Cancel(); });
  const Ran ran = RunShell("sleep 1000", Deadline::After(60000, source.token()));
  canceller.join();
  EXPECT_EQ(ran.outcome.end, RunOutcome::End::kCancelled);
}

TEST(Process, ASinkThatHasEnoughStopsTheChild) {
  const auto outcome = os::Run(Shell("yes"), Deadline::After(20000), [](std::string_view) { return false; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, RunOutcome::End::kStopped);
}

// What looks after a child sees it again and again, and may stop it.
TEST(Process, AChildThatTakesLongIsLookedAfter) {
  int looks = 0;
  const auto outcome = os::Run(
      Shell("sleep 1000"), Deadline::After(60000), [](std::string_view) { return true; }, [&] { return ++looks < 3; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, RunOutcome::End::kStopped);
  EXPECT_EQ(looks, 3);
}

TEST(Process, AShortChildIsNotLookedAfter) {
  const auto start = Clock::now();
  int looks = 0;
  const auto outcome = os::Run(
      Shell("exit 3"), Deadline::After(20000), [](std::string_view) { return true; }, [&] { return ++looks > 0; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_code, 3);
  EXPECT_TRUE(looks == 0 || Clock::now() - start >= kFirstLook);
}

TEST(Process, AChildsMemoryIsLimited) {
  Command command = Shell("ulimit -d; ulimit -Hd");
  command.max_memory = 64 << 20;
  std::string out;
  const auto outcome = os::Run(command, Deadline::After(20000), [&](std::string_view piece) {
    out.append(piece);
    return true;
  });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(out, "65536\n65536\n") << "in KiB; the child cannot raise it";
}

TEST(Process, ADeathBySignalIsSeen) { EXPECT_EQ(RunShell("kill -BUS $$").outcome.signal, SIGBUS); }

// Our caller may have closed its own 0, 1 and 2; then pipes get those numbers.
TEST(Process, OurStandardDescriptorsMayBeClosed) {
  const std::string out = testing::AsNobody([] {
    for (const int fd : {0, 1, 2}) close(fd);
    const Fd folder(open("/usr", O_PATH | O_DIRECTORY | O_CLOEXEC));  // gets number 0
    Command command = Shell("pwd; echo err >&2; cat");
    command.folder = folder.get();
    std::string text;
    const auto outcome = os::Run(command, Deadline::After(20000), [&](std::string_view piece) {
      text.append(piece);
      return true;
    });
    return outcome.ok() ? text + outcome->stderr_text : outcome.error().message();
  });
  EXPECT_EQ(out, "/usr\nerr\n");
}

volatile sig_atomic_t handled_in_child = 0;
pid_t handler_owner = 0;

void CountInChild(int) {
  // The child of a vfork shares our memory, so its count is seen here.
  if (getpid() != handler_owner) handled_in_child = 1;
}

// Many signals to the whole group, which the child belongs to for a moment.
TEST(Process, OurHandlersNeverRunInAChild) {
  const std::string out = testing::AsNobody([] {
    setpgid(0, 0);
    handler_owner = getpid();
    signal(SIGUSR1, CountInChild);
    std::atomic<bool> stop = false;
    std::thread storm([&] {
      while (!stop) kill(0, SIGUSR1);
    });
    for (int i = 0; i < 100; ++i) (void)os::Run(Shell("exit"), Deadline::After(20000), [](auto) { return true; });
    stop = true;
    storm.join();
    return std::string(handled_in_child != 0 ? "in the child" : "never");
  });
  EXPECT_EQ(out, "never");
}

TEST(Process, AStatusThatIsLostIsAnErrorAtOnce) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const auto outcome = os::Run(Shell("exit 3"), Deadline::After(20000), [](std::string_view) { return true; });
  signal(SIGCHLD, before);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ECHILD);
}

TEST(Process, AMissingProgramIsAnError) {
  if (testing::kThreadSanitizer) GTEST_SKIP() << testing::kNoVfork;
  const auto outcome = os::Run({"/nonexistent/program", {}, {}}, Deadline(), [](std::string_view) { return true; });
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message(), "No such file or directory");
}

TEST(Process, ProgramsAreNotTakenFromTheCurrentFolder) {
  EXPECT_EQ(FindProgram("sh", ":relative:/bin:/usr/bin").value_or(""), "/bin/sh");
  EXPECT_EQ(FindProgram("no-such-program", "/bin:/usr/bin"), std::nullopt);
  EXPECT_EQ(FindProgram("/bin/sh", "").value_or(""), "/bin/sh");
  EXPECT_EQ(FindProgram("/bin", ""), std::nullopt);
}

}  // namespace
}  // namespace forge::os
