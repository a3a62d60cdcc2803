#include "remote/server.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "os/limits.h"
#include "os/wait.h"

namespace forge::remote {
namespace {

// How often the server looks after its clients, its idle time and its file.
constexpr std::chrono::milliseconds kRound{500};
// A server that is ending needs some time to save its indexes.
constexpr std::chrono::milliseconds kLockTime{2000};

Error CannotServe(const std::string& what, const os::OsError& error) {
  return ExecutionFailed("cannot serve: " + what + ": " + error.message());
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Create(ServerOptions options) {
  if (options.place.build.empty()) return ExecutionFailed("cannot serve: the program file is not known");
  const std::string& folder = options.place.folder;
  if (const auto made = os::MakeOwnFolder(folder); !made.ok()) return CannotServe(folder, made.error());
  auto lock = os::FileLock::Take(options.place.LockFile(), os::LockMode::kExclusive, Deadline::After(kLockTime));
  if (!lock.ok() && lock.error().code == EAGAIN) {
    return ExecutionFailed("a server of this program runs already", ErrorCode::kLocked);
  }
  if (!lock.ok()) return CannotServe(options.place.LockFile(), lock.error());
  lock->Sign();
  auto listener = os::LocalListener::Open(folder, options.place.build);
  if (!listener.ok()) return CannotServe(folder, listener.error());
  return std::unique_ptr<Server>(new Server(std::move(options), std::move(*lock), std::move(*listener)));
}

Server::Server(ServerOptions options, os::FileLock lock, os::LocalListener listener)
    : options_(std::move(options)),
      started_(options_.clocks->Steady()),
      lock_(std::move(lock)),
      listener_(std::move(listener)),
      trees_(options_.make, options_.log, options_.idle_timeout, *options_.clocks),
      desk_{trees_, options_.place.build, [this] { return Report(); }, [this] { options_.stop.Cancel(); }, calls_},
      used_(started_) {}

Server::~Server() { End(/*now=*/true); }

void Server::Run() {
  const CancelToken& stop = options_.stop.token();
  while (Step(Deadline::After(kRound, stop))) continue;
  End(stop.cancelled());
}

bool Server::Step(const Deadline& deadline) {
  Admit(deadline);
  ForgetEnded();
  trees_.DropIdle();
  return !options_.stop.token().cancelled() && !IdleTooLong() && options_.is_current() && listener_.IsReachable();
}

void Server::Admit(const Deadline& deadline) {
  auto stream = listener_.Accept(deadline);
  if (!stream.ok()) {
    // No descriptors, perhaps: the next round tries again, but not at once.
    const int code = stream.error().code;
    if (code != ETIMEDOUT && code != ECANCELED && code != EPERM) os::WaitFor(kRound, deadline);
    return;
  }
  used_ = options_.clocks->Steady();
  if (sessions_.size() == kMostClients) return;
  try {
    sessions_.push_back(std::make_unique<Session>(std::move(*stream), desk_));
  } catch (const std::system_error&) {
    return;  // no thread to be had; the client goes on by itself
  }
  clients_ = sessions_.size();
}

void Server::ForgetEnded() {
  std::erase_if(sessions_, [](const std::unique_ptr<Session>& session) { return session->ended(); });
  clients_ = sessions_.size();
}

bool Server::IdleTooLong() {
  const Clock::time_point now = options_.clocks->Steady();
  if (!sessions_.empty()) used_ = now;
  return now - used_ >= options_.idle_timeout;
}

// First the socket, so that no client comes any more.
void Server::End(bool now) {
  listener_ = os::LocalListener();
  for (const auto& session : sessions_) now ? session->HangUp() : session->EndSoon();
  sessions_.clear();
}

ServerReport Server::Report() const {
  const auto running = std::chrono::duration_cast<std::chrono::milliseconds>(options_.clocks->Steady() - started_);
  return {os::OwnProcess(), running, clients_, calls_, os::OwnMemory().value_or(0), trees_.Report()};
}

}  // namespace forge::remote
