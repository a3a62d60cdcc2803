// Child processes, for tests of several processes or of one that dies.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

namespace forge::testing {

class Child {
 public:
  // `body` may write to the descriptor it is given; the parent reads from out().
  explicit Child(const std::function<void(int out)>& body) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ == 0) {
      close(ends[0]);
      Run(body, ends[1]);
    }
    close(ends[1]);
    out_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    Kill();
    close(out_);
  }

  // True if a byte came, false if the child has ended.
  bool Wait() const {
    char byte;
    return read(out_, &byte, 1) == 1;
  }
  std::string Rest() const {
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(out_, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
    return text;
  }
  void Kill() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  // Ends without destructors of the parent's objects, as a crash would.
  [[noreturn]] static void Run(const std::function<void(int)>& body, int out) {
    try {
      body(out);
    } catch (const std::exception& e) {
      Say(out, std::string("exception: ") + e.what());
    }
    _exit(0);
  }

 public:
  static void Say(int out, const std::string& text) {
    if (write(out, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(1);
  }

 private:
  pid_t pid_ = 0;
  int out_ = -1;
};

}  // namespace forge::testing
