// Talking with the process that started this one, over two descriptors.
//
// Streams cannot do it: they go on waiting after a signal. Here every wait ends
// when `stop` is cancelled, when the other side closes, and when the parent is
// gone, which a wrapper that keeps our input open would hide from us for ever.
// The parent is looked for once a second. PR_SET_PDEATHSIG was rejected: it goes
// off when the *thread* that started us ends, which in hosts with a thread pool
// happens while they are well alive.
//
// Read and Write may be used by two threads at once, each by one.
#pragma once

#include <cstddef>
#include <string_view>

#include "forge/cancel.h"

namespace forge::os {

class Conversation {
 public:
  // Does not own the descriptors.
  Conversation(int in, int out, CancelToken stop);

  // Waits for bytes and reads some of them; 0: no more will come.
  std::size_t Read(char* buffer, std::size_t size) const;

  // Writes all of it; false: nobody reads any more. Who has closed our input and
  // then reads nothing for a second counts as gone.
  bool Write(std::string_view bytes) const;

 private:
  bool WaitFor(int fd, short event) const;
  bool InputIsClosed() const;

  const int in_;
  const int out_;
  const CancelToken stop_;
  const int parent_;
};

}  // namespace forge::os
