// One client of the shared server, from Hello to its end.
//
// One thread reads requests and answers them. While a call runs, a second one
// listens: what comes then can only be the end of the connection, and cancels the
// call.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "forge/cancel.h"
#include "os/local_socket.h"
#include "remote/channel.h"
#include "remote/reply.h"
#include "remote/trees.h"

namespace forge::remote {

// What a session needs of its server.
struct Desk {
  Trees& trees;
  std::string build;
  std::function<ServerReport()> report;
  std::function<void()> stop;  // the whole server
  std::atomic<std::uint64_t>& calls;
};

class Session {
 public:
  // `desk` must outlive this. Starts the thread; throws std::system_error if the
  // system has none to give.
  Session(os::LocalStream stream, Desk& desk);
  ~Session();  // hangs up, and joins
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Hangs up, now or after the call that runs.
  void EndSoon();
  void HangUp() { channel_.Shutdown(); }
  bool ended() const { return ended_.load(std::memory_order_acquire); }

 private:
  void Run();
  bool Greet();
  // False: the session is over.
  bool Serve(const wire::Frame& frame);
  bool OpenTree(std::string_view payload);
  bool RunSearch(std::string_view payload);
  bool SendStatus();
  void Listen(CancelSource& call, const CancelToken& done, Reply& reply);

  Channel channel_;
  Desk& desk_;
  Trees::Lease lease_;  // only the session's own thread uses it
  std::atomic<bool> busy_{false};
  std::atomic<bool> ending_{false};
  std::atomic<bool> ended_{false};
  std::thread thread_;  // last: it uses the others
};

}  // namespace forge::remote
