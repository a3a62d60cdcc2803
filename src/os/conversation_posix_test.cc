#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "os/conversation.h"
#include "os/file.h"

namespace forge::os {
namespace {

class ConversationTest : public ::testing::Test {
 protected:
  ConversationTest() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    in_ = Fd(ends[0]);
    to_us_ = Fd(ends[1]);
    EXPECT_EQ(pipe(ends), 0);
    from_us_ = Fd(ends[0]);
    out_ = Fd(ends[1]);
  }

  std::string Read(const Conversation& conversation) {
    char buffer[100];
    return {buffer, conversation.Read(buffer, sizeof buffer)};
  }

  const std::string much_ = std::string(1 << 20, 'x');  // more than a pipe holds
  Fd in_, to_us_, from_us_, out_;
  CancelSource stop_;
};

TEST_F(ConversationTest, ReadsUntilTheOtherSideCloses) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  ASSERT_EQ(write(to_us_.get(), "hello", 5), 5);
  EXPECT_EQ(Read(conversation), "hello");
  to_us_.Reset();
  EXPECT_EQ(Read(conversation), "");
}

TEST_F(ConversationTest, WritesMoreThanAPipeHoldsToASlowReader) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  std::size_t count = 0;
  std::thread reader([&] {
    char buffer[1000];
    for (ssize_t n; count < much_.size() && (n = read(from_us_.get(), buffer, sizeof buffer)) > 0;) {
      count += static_cast<std::size_t>(n);
    }
  });
  EXPECT_TRUE(conversation.Write(much_));
  reader.join();
  EXPECT_EQ(count, much_.size());
}

// The reader waits already, and the input stays open.
TEST_F(ConversationTest, AnAnswerThatCannotBeWrittenEndsIt) {
  const Fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  const Conversation conversation(in_.get(), full.get(), stop_.token());
  std::thread reader([&] { EXPECT_EQ(Read(conversation), ""); });
  EXPECT_FALSE(conversation.Write("answer"));
  reader.join();
  EXPECT_EQ(conversation.failure(), ENOSPC);
  EXPECT_FALSE(conversation.Write("the next"));
}

TEST_F(ConversationTest, StoppingEndsBothWaits) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  std::thread writer([&] { EXPECT_FALSE(conversation.Write(much_)); });
  std::thread reader([&] { EXPECT_EQ(Read(conversation), ""); });
  stop_.Cancel();
  writer.join();
  reader.join();
}

TEST_F(ConversationTest, WhoHasClosedOurInputAndReadsNothingIsGone) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  ASSERT_EQ(write(to_us_.get(), "unread", 6), 6);
  to_us_.Reset();
  EXPECT_FALSE(conversation.Write(much_));
}

}  // namespace
}  // namespace forge::os
