#include "tests/testing/terminal.h"

#include <chrono>
#include <thread>
#include <utility>

namespace forge::testing {
namespace {

constexpr std::chrono::seconds kPatience{30};  // generous: the tests share two cores

std::string Quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

// After the program has ended, its status is on the screen.
Terminal::Terminal(const Command& command, int columns, int rows) {
  std::string line = "cd " + Quoted(command.cwd) + " && env -i TERM=screen-256color";
  for (const auto& [name, value] : command.env) line += " " + Quoted(name + "=" + value);
  for (const std::string& word : command.argv) line += " " + Quoted(word);
  line += "; echo ended $?; exec sleep 1000";
  Tmux({"-f", "/dev/null", "new-session", "-d", "-x", std::to_string(columns), "-y", std::to_string(rows), line});
}

Terminal::~Terminal() { Tmux({"kill-server"}); }

std::string Terminal::Tmux(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"/usr/bin/tmux", "-u", "-S", folder_.Path("socket")});
  Command command;
  command.argv = std::move(arguments);
  command.env = {{"PATH", "/usr/bin:/bin"}, {"SHELL", "/bin/sh"}};
  return RunProgram(command).out;
}

void Terminal::Type(const std::string& text) const { Tmux({"send-keys", "-l", "--", text}); }
void Terminal::Press(const std::string& key) const { Tmux({"send-keys", key}); }

void Terminal::Paste(const std::string& text) const {
  Tmux({"set-buffer", text});
  Tmux({"paste-buffer", "-p"});
}

void Terminal::Resize(int columns, int rows) const {
  Tmux({"resize-window", "-x", std::to_string(columns), "-y", std::to_string(rows)});
}

std::string Terminal::Screen() const { return Tmux({"capture-pane", "-p"}); }

bool Terminal::Shows(const std::string& text) const {
  return Becomes([&](const std::string& screen) { return screen.find(text) != std::string::npos; });
}

bool Terminal::Becomes(const std::function<bool(const std::string&)>& wanted) const {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until) {
    if (wanted(Screen())) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace forge::testing
