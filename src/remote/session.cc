#include "remote/session.h"

#include <system_error>
#include <utility>
#include <variant>

#include "config/limits.h"

namespace forge::remote {
namespace {

// A reply that is not a search's fits into the buffer of a socket, or the client
// does not read.
constexpr std::chrono::milliseconds kReplyTime{5000};
// How long a process that has connected may take to say Hello.
constexpr std::chrono::milliseconds kGreetTime{5000};

}  // namespace

Session::Session(os::LocalStream stream, Desk& desk)
    : channel_(std::move(stream), kMostRequest), desk_(desk), thread_([this] { Run(); }) {}

Session::~Session() {
  HangUp();
  thread_.join();
}

void Session::EndSoon() {
  ending_ = true;
  if (!busy_) HangUp();
}

void Session::Run() {
  if (Greet()) {
    Lost lost = Lost::kClosed;
    while (!ending_) {
      const auto frame = channel_.Receive(Deadline(), lost);
      if (!frame || !Serve(*frame)) break;
    }
  }
  HangUp();
  lease_ = Trees::Lease();
  ended_.store(true, std::memory_order_release);
}

bool Session::Greet() {
  Hello ours;
  ours.build = desk_.build;
  const Deadline deadline = Deadline::After(kGreetTime);
  const auto theirs = channel_.Expect<Hello>(Type::kHello, deadline);
  return theirs && channel_.Send(Type::kHello, ours, deadline) && *theirs == ours;
}

bool Session::Serve(const wire::Frame& frame) {
  const Deadline deadline = Deadline::After(kReplyTime);
  switch (static_cast<Type>(frame.type)) {
    case Type::kOpen: return OpenTree(frame.payload);
    case Type::kSearch: return RunSearch(frame.payload);
    case Type::kIndexStatus: return SendStatus();
    case Type::kServerStatus: return channel_.Send(Type::kServerReport, desk_.report(), deadline);
    case Type::kStop: {
      const bool told = channel_.SendBytes(Type::kStopping, "", deadline);
      desk_.stop();
      return told;
    }
    default: return false;
  }
}

bool Session::OpenTree(std::string_view payload) {
  const auto open = wire::Decode<Open>(payload);
  if (!open || lease_.engine() != nullptr) return false;
  const Deadline deadline = Deadline::After(kReplyTime);
  auto taken = desk_.trees.Take(*open);
  if (const auto* reason = std::get_if<RefusedBecause>(&taken)) {
    return channel_.Send(Type::kRefused, Refused{*reason}, deadline);
  }
  lease_ = std::move(*std::get_if<Trees::Lease>(&taken));
  const Engine& engine = *lease_.engine();
  return channel_.Send(
      Type::kOpened,
      Opened{engine.roots(), engine.working_dir(), engine.backend_diagnostics(), engine.index_diagnostics()}, deadline);
}

bool Session::SendStatus() {
  Engine* engine = lease_.engine();
  return engine != nullptr && channel_.Send(Type::kIndexStatuses, engine->index_status(), Deadline::After(kReplyTime));
}

bool Session::RunSearch(std::string_view payload) {
  const auto search = wire::Decode<remote::Search>(payload);
  Engine* engine = lease_.engine();
  if (!search || engine == nullptr || !config::AreAllowed(search->limits)) return false;
  busy_ = true;
  ++desk_.calls;
  CancelSource cancel;
  CancelSource done;
  Reply reply(channel_, cancel);
  std::thread listener;
  try {
    listener = std::thread([&] { Listen(cancel, done.token(), reply); });
  } catch (const std::system_error&) {
    return false;  // a call that cannot be cancelled is better made by the client
  }
  SearchOptions options{.cancel = cancel.token(),
                        .on_event = [&reply](const Event& event) { reply.Add(event); },
                        .counted = search->counted,
                        .keep_events = search->keep_events};
  if (search->files) options.on_file = [&reply](const FileReport& file) { reply.Add(file); };
  options.on_any_file = search->any_file;
  options.show_as = search->show_as;
  options.hints = search->hints;
  options.limits = search->limits;
  if (search->progress) options.on_progress = [&reply](const Progress& progress) { reply.Report(progress); };
  auto answer = engine->Search(search->request, options);
  done.Cancel();
  listener.join();
  if (answer) answer->matches.clear();  // they were sent as events
  const bool sent = answer ? reply.Finish(Type::kAnswer, wire::Encode(*answer))
                           : reply.Finish(Type::kFailed, wire::Encode(answer.error()));
  busy_ = false;
  return sent && !cancel.token().cancelled();
}

void Session::Listen(CancelSource& call, const CancelToken& done, Reply& reply) {
  Lost lost = Lost::kTimeout;
  while (true) {
    const auto frame = channel_.Receive(Deadline::After(kAliveEvery, done), lost);
    if (!frame && lost == Lost::kCancelled) return;
    if (frame || lost != Lost::kTimeout) return call.Cancel();
    reply.Tick();
  }
}

}  // namespace forge::remote
