// A server on this machine that answers by a script, correctly or not.
//
//   HttpServer server({{.body = "{}"}, {.status = 500}});
//   ... ask server.url() ...
//   server.requests()[0].body
//
// One reply for each request, in order. A request beyond the script gets status
// 599, and is recorded too. Nothing here sleeps: a reply that hangs holds its
// connection until the server is destroyed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace forge::testing {

struct ScriptedReply {
  enum class End { kWhole, kCut, kHang, kClose };  // kCut: half of the body; kClose: not a byte

  int status = 200;
  std::vector<std::string> headers = {};  // "Name: value"
  std::string body = {};
  End end = End::kWhole;
  std::function<void()> on_request = {};  // called when the request has arrived
};

struct SeenRequest {
  std::string line;                            // "POST /v1/messages HTTP/1.1"
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class HttpServer {
 public:
  explicit HttpServer(std::vector<ScriptedReply> script);
  ~HttpServer();

  std::string url() const;  // "http://127.0.0.1:PORT"
  int port() const;
  std::vector<SeenRequest> requests() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forge::testing
