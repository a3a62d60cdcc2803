#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "os/local_socket.h"
#include "tests/testing/temp_tree.h"

namespace forge::os {
namespace {

using testing::TempTree;

class LocalSocket : public ::testing::Test {
 protected:
  static Deadline Soon() { return Deadline::After(std::chrono::seconds(30)); }

  TempTree tree_;
  const std::string folder_ = tree_.Path("run");
};

TEST_F(LocalSocket, BytesGoBothWaysAndTheEndIsSeen) {
  const auto listener = LocalListener::Open(folder_, "s");
  ASSERT_TRUE(listener.ok()) << listener.error().message();
  auto client = LocalStream::Connect(folder_, "s", Soon());
  ASSERT_TRUE(client.ok()) << client.error().message();
  const auto server = listener->Accept(Soon());
  ASSERT_TRUE(server.ok()) << server.error().message();
  EXPECT_EQ(server->peer(), getpid());
  ASSERT_TRUE(client->Write("ping", Soon()).ok());
  char buffer[16];
  ASSERT_EQ(*server->Read(buffer, sizeof buffer, Soon()), 4U);
  client = OsError{EPIPE};  // drops the stream
  EXPECT_EQ(*server->Read(buffer, sizeof buffer, Soon()), 0U);
  EXPECT_FALSE(server->Write("pong", Soon()).ok());
}

TEST_F(LocalSocket, WaitingEndsByDeadlineCancelAndShutdown) {
  const auto listener = LocalListener::Open(folder_, "s");
  ASSERT_TRUE(listener.ok());
  EXPECT_EQ(listener->Accept(Deadline::After(1)).error().code, ETIMEDOUT);
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_EQ(listener->Accept(Deadline::After(60'000, cancel.token())).error().code, ECANCELED);
  const auto client = LocalStream::Connect(folder_, "s", Soon());
  ASSERT_TRUE(client.ok());
  char buffer[16];
  EXPECT_EQ(client->Read(buffer, sizeof buffer, Deadline::After(1)).error().code, ETIMEDOUT);
  std::thread other([&] { client->Shutdown(); });
  EXPECT_EQ(*client->Read(buffer, sizeof buffer, Soon()), 0U);
  other.join();
  // What nobody reads fills the buffer, and then the writer waits.
  const auto second = LocalStream::Connect(folder_, "s", Soon());
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->Write(std::string(64 << 20, 'x'), Deadline::After(20)).error().code, ETIMEDOUT);
}

TEST_F(LocalSocket, WithoutAListenerThereIsNone) {
  EXPECT_EQ(LocalStream::Connect(folder_, "s", Soon()).error().code, ENOENT);
  EXPECT_NE(access(folder_.c_str(), F_OK), 0) << "a client makes no folder";
  { const auto listener = LocalListener::Open(folder_, "s"); }
  EXPECT_NE(access((folder_ + "/s").c_str(), F_OK), 0);
  auto listener = LocalListener::Open(folder_, "s");
  *listener = LocalListener();
  EXPECT_NE(access((folder_ + "/s").c_str(), F_OK), 0);
  EXPECT_EQ(LocalStream::Connect(folder_, "s", Soon()).error().code, ENOENT);
}

TEST_F(LocalSocket, ADeadSocketIsReplaced) {
  ASSERT_TRUE(MakeOwnFolder(folder_).ok());
  tree_.Write("run/s", "");
  EXPECT_EQ(LocalStream::Connect(folder_, "s", Soon()).error().code, ECONNREFUSED);
  ASSERT_TRUE(LocalListener::Open(folder_, "s").ok());
}

TEST_F(LocalSocket, AFolderThatOthersMayUseIsRefused) {
  ASSERT_TRUE(MakeOwnFolder(folder_).ok());
  for (const mode_t mode : {0755U, 0770U, 0701U}) {
    ASSERT_EQ(chmod(folder_.c_str(), mode), 0);
    EXPECT_EQ(LocalListener::Open(folder_, "s").error().code, EACCES);
    EXPECT_EQ(LocalStream::Connect(folder_, "s", Soon()).error().code, EACCES);
  }
  const std::string link = tree_.Path("link");
  ASSERT_EQ(symlink(folder_.c_str(), link.c_str()), 0);
  EXPECT_EQ(LocalStream::Connect(link, "s", Soon()).error().code, ELOOP);
}

TEST_F(LocalSocket, AFolderOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_TRUE(MakeOwnFolder(folder_).ok());
  ASSERT_EQ(chown(folder_.c_str(), 12345, 12345), 0);
  EXPECT_EQ(LocalListener::Open(folder_, "s").error().code, EACCES);
  EXPECT_EQ(LocalStream::Connect(folder_, "s", Soon()).error().code, EACCES);
}

TEST_F(LocalSocket, ALongPathIsNoObstacle) {
  const std::string deep = folder_ + "/" + std::string(150, 'd');
  const auto listener = LocalListener::Open(deep, "s");
  ASSERT_TRUE(listener.ok()) << listener.error().message();
  EXPECT_TRUE(LocalStream::Connect(deep, "s", Soon()).ok());
}

TEST_F(LocalSocket, OnlyAProcessThatSeesTheSameFilesCounts) {
  EXPECT_TRUE(SeesWhatWeSee(getpid()));
  EXPECT_FALSE(SeesWhatWeSee(0));
  EXPECT_FALSE(SeesWhatWeSee(std::int64_t{1} << 30));
}

}  // namespace
}  // namespace forge::os
