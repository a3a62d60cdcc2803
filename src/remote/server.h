// The shared server: one process of a user that holds the engines of the trees in
// use (R10).
//
//   auto server = Server::Create(options);    // kLocked: one runs already
//   (*server)->Run();
//
// It ends when it is told to, when nobody has used it for the idle time, when its
// program file has been replaced, and when its socket or the folder of that is gone:
// then no client could find it any more. It takes nothing from its environment and
// its working folder except the place of its socket.
//
// One thread runs it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "forge/cancel.h"
#include "forge/result.h"
#include "os/clocks.h"
#include "os/file_lock.h"
#include "os/local_socket.h"
#include "remote/place.h"
#include "remote/session.h"
#include "remote/trees.h"

namespace forge::remote {

struct ServerOptions {
  Place place;
  EngineMaker make;
  std::chrono::milliseconds idle_timeout{};
  // Whether the program file is still the one that runs.
  std::function<bool()> is_current = [] { return true; };
  std::function<void(const std::string&)> log = {};
  CancelSource stop = {};  // ends it; so does a client that says Stop
  const os::Clocks* clocks = &os::Clocks::System();
};

class Server {
 public:
  static constexpr std::size_t kMostClients = 256;

  static Result<std::unique_ptr<Server>> Create(ServerOptions options);
  ~Server();

  // Until one of the reasons to end.
  void Run();

  // One round: takes the clients that come before the deadline, at most one, and
  // looks after the others. False: it is time to end.
  bool Step(const Deadline& deadline);

  std::size_t clients() const { return sessions_.size(); }

 private:
  Server(ServerOptions options, os::FileLock lock, os::LocalListener listener);

  void Admit(const Deadline& deadline);
  void ForgetEnded();
  bool IdleTooLong();
  void End(bool now);
  ServerReport Report() const;

  ServerOptions options_;
  const Clock::time_point started_;
  os::FileLock lock_;  // held while the socket is ours
  os::LocalListener listener_;
  Trees trees_;
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<std::uint64_t> clients_{0};
  Desk desk_;
  std::vector<std::unique_ptr<Session>> sessions_;
  Clock::time_point used_;  // the last time that there was a client
};

}  // namespace forge::remote
