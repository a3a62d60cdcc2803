// How a client finds the shared server, and starts it.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/environment.h"
#include "remote/channel.h"
#include "remote/place.h"

namespace forge::remote {

// What came of an attempt to find the server.
enum class Contact {
  kMet,           // it has said Hello, and is of the same build
  kNone,          // no process listens
  kNotOurs,       // one does, but of another user, another view of the system, or another build
  kSilent,        // it does not answer
  kNotAvailable,  // this system, or a sandbox, does not allow it
};

// For people: "no server runs".
std::string_view Describe(Contact contact);

struct Met {
  Contact contact = Contact::kNone;
  std::unique_ptr<Channel> channel;  // kMet
};

// Connects and exchanges Hello.
Met Meet(const Place& place, const CancelToken& cancel = {});

// How the server is started.
struct Starter {
  std::string program;  // the path of this program
  Environment environment;
  std::chrono::milliseconds idle_timeout{};
};

// The same, and starts the server if no process listens. Of several clients that
// come at once, one starts it; the others wait for that.
Met MeetOrStart(const Place& place, const Starter& starter, const CancelToken& cancel = {});

}  // namespace forge::remote
