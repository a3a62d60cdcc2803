// Talking with the process that started this one, over two descriptors.
//
// Streams do not work here: they go on waiting after a signal. Here every wait
// ends when `stop` is cancelled, when the other side closes, and when the
// parent is gone. A wrapper that keeps our input open would hide from us for
// ever that the parent is gone, so we look for the parent once a second. We
// rejected PR_SET_PDEATHSIG: it fires when the *thread* that started us ends.
// In hosts with a thread pool, that happens while the host is still alive.
//
// One thread may call Read while another calls Write.
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>

#include "forge/cancel.h"

namespace forge::os {

class Conversation {
 public:
  // Does not own the descriptors.
  Conversation(int in, int out, CancelToken stop);

  // Waits for bytes and reads some of them. 0: the input has ended, or an answer
  // could not be written, and none of the next ones can.
  std::size_t Read(char* buffer, std::size_t size) const;

  // Writes all of `bytes`. False: the other side no longer reads. A peer that
  // has closed our input and then reads nothing for a second counts as gone.
  bool Write(std::string_view bytes) const;

  // Whether an answer could still be read: we have not been told to stop, and the
  // parent is there, and a reader of our output.
  bool HasReader() const;

  // Why it ended, if not because the other side did: a full disk, say. 0: it is not so.
  int failure() const { return failure_; }

 private:
  const int in_;
  const int out_;
  const CancelToken stop_;
  const int parent_;  // its number
  mutable std::atomic<int> failure_{0};
  mutable std::atomic<bool> over_{false};  // a Write failed
};

}  // namespace forge::os
