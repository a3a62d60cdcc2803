#include "tests/testing/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace forge::testing {

class HttpServer::Impl {
 public:
  explicit Impl(std::vector<ScriptedReply> script) : script_(std::move(script)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    stop_ = eventfd(0, EFD_CLOEXEC);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    const bool up = bind(listener_, generic, size) == 0 && listen(listener_, 16) == 0 &&
                    getsockname(listener_, generic, &size) == 0;
    if (!up) throw std::runtime_error("cannot listen on the loopback address");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }

  ~Impl() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(stop_, &one, sizeof one);
    thread_.join();
    for (const int fd : held_) close(fd);
    close(listener_);
    close(stop_);
  }

  int port() const { return port_; }

  std::vector<SeenRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  // False if the server must stop.
  bool WaitToRead(int fd) const {
    pollfd fds[] = {{fd, POLLIN, 0}, {stop_, POLLIN, 0}};
    while (poll(fds, 2, -1) < 0) {
    }
    return fds[1].revents == 0;
  }

  void Serve() {
    while (WaitToRead(listener_)) {
      const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      SeenRequest request;
      if (Read(fd, request)) {
        Answer(fd, std::move(request));
      } else {
        close(fd);  // not HTTP: a TLS handshake, say
      }
    }
  }

  bool Read(int fd, SeenRequest& request) const {
    std::string text;
    std::size_t head = std::string::npos;
    std::size_t wanted = 0;
    while (head == std::string::npos || text.size() < wanted) {
      char buffer[16 * 1024];
      const ssize_t n = WaitToRead(fd) ? read(fd, buffer, sizeof buffer) : 0;
      if (n <= 0) return false;
      text.append(buffer, static_cast<std::size_t>(n));
      if (!text.starts_with(std::string("POST").substr(0, text.size()))) return false;
      if (head == std::string::npos && (head = text.find("\r\n\r\n")) != std::string::npos) {
        ParseHead(text.substr(0, head), request);
        const auto length = request.headers.find("content-length");
        wanted = head + 4 + (length == request.headers.end() ? 0 : std::stoul(length->second));
      }
    }
    request.body = text.substr(head + 4);
    return true;
  }

  static void ParseHead(const std::string& head, SeenRequest& request) {
    std::size_t at = head.find("\r\n");
    request.line = head.substr(0, at);
    while (at != std::string::npos) {
      const std::size_t next = head.find("\r\n", at + 2);
      const std::string line = head.substr(at + 2, next == std::string::npos ? next : next - at - 2);
      const std::size_t colon = line.find(": ");
      std::string name = line.substr(0, colon);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      if (colon != std::string::npos) request.headers[name] = line.substr(colon + 2);
      at = next;
    }
  }

  void Answer(int fd, SeenRequest request) {
    ScriptedReply reply{.status = 599};
    {
      const std::lock_guard lock(mutex_);
      if (seen_.size() < script_.size()) reply = script_[seen_.size()];
      seen_.push_back(std::move(request));
    }
    if (reply.on_request) reply.on_request();
    if (reply.end == ScriptedReply::End::kHang) return held_.push_back(fd);
    if (reply.end != ScriptedReply::End::kClose) Send(fd, TextOf(reply));
    close(fd);
  }

  static std::string TextOf(const ScriptedReply& reply) {
    std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " X\r\n";
    for (const std::string& header : reply.headers) text += header + "\r\n";
    text += "Content-Length: " + std::to_string(reply.body.size()) + "\r\nConnection: close\r\n\r\n";
    const bool cut = reply.end == ScriptedReply::End::kCut;
    return text + reply.body.substr(0, cut ? reply.body.size() / 2 : std::string::npos);
  }

  static void Send(int fd, std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  const std::vector<ScriptedReply> script_;
  int listener_ = -1;
  int stop_ = -1;
  int port_ = 0;
  std::vector<int> held_;  // used by the thread, then by the destructor
  mutable std::mutex mutex_;
  std::vector<SeenRequest> seen_;  // guarded by mutex_
  std::thread thread_;
};

HttpServer::HttpServer(std::vector<ScriptedReply> script) : impl_(std::make_unique<Impl>(std::move(script))) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return impl_->port(); }
std::string HttpServer::url() const { return "http://127.0.0.1:" + std::to_string(port()); }
std::vector<SeenRequest> HttpServer::requests() const { return impl_->requests(); }

}  // namespace forge::testing
