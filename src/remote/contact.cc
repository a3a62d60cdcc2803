#include "remote/contact.h"

#include <cerrno>
#include <utility>

#include "os/detached.h"
#include "os/file_lock.h"

namespace forge::remote {
namespace {

// A server listens after some milliseconds, on a busy machine after more.
constexpr std::chrono::milliseconds kStartTime{3000};

Contact ContactOf(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
    case ECONNREFUSED: return Contact::kNone;
    case EPERM:
    case EACCES:
    case ELOOP: return Contact::kNotOurs;
    case EAGAIN:
    case ETIMEDOUT:
    case ECANCELED: return Contact::kSilent;
    default: return Contact::kNotAvailable;
  }
}

// What the server needs to find its place and its libraries. It takes nothing
// else from its environment, so it gets nothing else.
std::vector<std::string> ServerEnvironment(const Environment& environment) {
  std::vector<std::string> out;
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR", "LD_LIBRARY_PATH"}) {
    if (const std::string value = environment.Get(name); !value.empty()) out.push_back(std::string(name) + "=" + value);
  }
  return out;
}

}  // namespace

std::string_view Describe(Contact contact) {
  switch (contact) {
    case Contact::kMet: return "a server runs";
    case Contact::kNone: return "no server runs";
    case Contact::kNotOurs: return "its folder or its process is not this user's, or sees other files";
    case Contact::kSilent: return "a server is there, but does not answer";
    case Contact::kNotAvailable: return "this system or a sandbox does not allow it";
  }
  return "";
}

Met Meet(const Place& place, const CancelToken& cancel) {
  if (place.build.empty()) return {Contact::kNotAvailable, nullptr};
  const Deadline deadline = Deadline::After(kHandshakeTime, cancel);
  auto stream = os::LocalStream::Connect(place.folder, place.build, deadline);
  if (!stream.ok()) return {ContactOf(stream.error().code), nullptr};
  auto channel = std::make_unique<Channel>(std::move(*stream), kMostReply);
  Hello ours;
  ours.build = place.build;
  if (!channel->Send(Type::kHello, ours, deadline)) return {Contact::kSilent, nullptr};
  const auto theirs = channel->Expect<Hello>(Type::kHello, deadline);
  if (!theirs) return {Contact::kSilent, nullptr};
  if (*theirs != ours) return {Contact::kNotOurs, nullptr};
  return {Contact::kMet, std::move(channel)};
}

Met MeetOrStart(const Place& place, const Starter& starter, const CancelToken& cancel) {
  Met met = Meet(place, cancel);
  if (met.contact != Contact::kNone) return met;
  const Deadline deadline = Deadline::After(kStartTime, cancel);
  if (const auto made = os::MakeOwnFolder(place.folder); !made.ok()) return {ContactOf(made.error().code), nullptr};
  const auto lock = os::FileLock::Take(place.StartLockFile(), os::LockMode::kExclusive, deadline);
  if (!lock.ok()) return {Contact::kSilent, nullptr};
  met = Meet(place, cancel);  // another client may have started it meanwhile
  if (met.contact != Contact::kNone) return met;
  const auto line =
      os::StartDetached({starter.program,
                         {"serve", "--set", "server.idle_timeout_ms=" + std::to_string(starter.idle_timeout.count())},
                         ServerEnvironment(starter.environment)},
                        deadline);
  if (!line.ok()) return {Contact::kNotAvailable, nullptr};
  return Meet(place, cancel);
}

}  // namespace forge::remote
