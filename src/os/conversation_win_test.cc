#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <thread>

#include "os/conversation.h"
#include "os/system_win.h"

namespace forge::os {
namespace {

class ConversationWin : public ::testing::Test {
 protected:
  ConversationWin() {
    MakePipe(in_, to_us_);
    MakePipe(from_us_, out_);
  }

  static void MakePipe(Fd& read, Fd& write) {
    HANDLE ends[2] = {};
    EXPECT_NE(CreatePipe(&ends[0], &ends[1], nullptr, 0), 0);
    read = Fd(DescriptorOf(ends[0]));
    write = Fd(DescriptorOf(ends[1]));
  }
  void Say(const std::string& text) {
    DWORD count = 0;
    EXPECT_NE(WriteFile(HandleOf(to_us_.get()), text.data(), static_cast<DWORD>(text.size()), &count, nullptr), 0);
  }
  static std::string Read(const Conversation& conversation) {
    char buffer[100];
    return {buffer, conversation.Read(buffer, sizeof buffer)};
  }

  const std::string much_ = std::string(1 << 20, 'x');  // more than a pipe holds
  Fd in_, to_us_, from_us_, out_;
  CancelSource stop_;
};

TEST_F(ConversationWin, ReadsUntilTheOtherSideCloses) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  Say("hello");
  EXPECT_EQ(Read(conversation), "hello");
  to_us_.Reset();
  EXPECT_EQ(Read(conversation), "");
  EXPECT_EQ(conversation.failure(), 0);
}

TEST_F(ConversationWin, ToWriteNothingIsNotTheEnd) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  Say("");
  Say("hello");
  EXPECT_EQ(Read(conversation), "hello");
}

TEST_F(ConversationWin, WritesMoreThanAPipeHoldsToASlowReader) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  std::size_t count = 0;
  std::thread reader([&] {
    char buffer[1000];
    for (DWORD n = 0; count < much_.size() && ReadFile(HandleOf(from_us_.get()), buffer, sizeof buffer, &n, nullptr);) {
      count += n;
    }
  });
  EXPECT_TRUE(conversation.Write(much_));
  reader.join();
  EXPECT_EQ(count, much_.size());
}

// The reader waits already, and the input stays open.
TEST_F(ConversationWin, AnAnswerThatCannotBeWrittenEndsIt) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  std::thread reader([&] { EXPECT_EQ(Read(conversation), ""); });
  from_us_.Reset();
  EXPECT_FALSE(conversation.Write("answer"));
  reader.join();
  EXPECT_EQ(conversation.failure(), 0) << "that is how hosts end it";
  EXPECT_FALSE(conversation.HasReader());
  EXPECT_FALSE(conversation.Write("the next"));
}

TEST_F(ConversationWin, AnAnswerThatTheSystemRefusesIsAFailure) {
  const Conversation conversation(in_.get(), in_.get(), stop_.token());  // an end for reading alone
  EXPECT_FALSE(conversation.Write("answer"));
  EXPECT_EQ(conversation.failure(), EACCES);
  EXPECT_EQ(Read(conversation), "");
}

TEST_F(ConversationWin, StoppingEndsBothWaits) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  std::thread writer([&] { EXPECT_FALSE(conversation.Write(much_)); });
  std::thread reader([&] { EXPECT_EQ(Read(conversation), ""); });
  stop_.Cancel();
  writer.join();
  reader.join();
  EXPECT_EQ(conversation.failure(), 0);
}

TEST_F(ConversationWin, WhoHasClosedOurInputAndReadsNothingIsGone) {
  const Conversation conversation(in_.get(), out_.get(), stop_.token());
  to_us_.Reset();
  EXPECT_FALSE(conversation.Write(much_));
}

}  // namespace
}  // namespace forge::os
