// One HTTP request and its reply.
//
// The interface is small so that a test can replace the network. It
// distinguishes failures only where the caller acts differently: some are worth
// another attempt, some are not.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/deadline.h"

namespace forge::llm {

struct HttpHeader {
  std::string name;
  std::string value;
  bool secret = false;  // never shown
};

struct HttpRequest {
  std::string url;
  std::vector<HttpHeader> headers;
  std::string body;
};

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

struct HttpFailure {
  enum class Kind {
    kUnavailable,  // there is no way to send anything
    kConnect,      // the server was not reached, or its name is not known
    kTls,          // the other side could not prove that it is the server
    kCut,          // the reply ended too early
    kTooLarge,     // the reply is larger than kMaxReplyBytes
    kTimeout,
    kCancelled,
  };
  Kind kind = Kind::kConnect;
  std::string message;
};

using HttpOutcome = std::variant<HttpReply, HttpFailure>;

inline constexpr std::size_t kMaxReplyBytes = std::size_t{8} << 20;

class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Thread-safe. Returns soon after the deadline or a cancellation.
  virtual HttpOutcome Post(const HttpRequest& request, const Deadline& deadline) const = 0;
};

}  // namespace forge::llm
