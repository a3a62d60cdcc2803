// A program in a real terminal, by tmux: a test types, and reads the screen.
//
//   Terminal terminal(command, 80, 24);
//   terminal.Type("needle");
//   EXPECT_TRUE(terminal.Shows("1 line in 1 file")) << terminal.Screen();
//
// The tmux server is the test's own; the destructor ends it, and the program
// with it.
#pragma once

#include <functional>
#include <string>

#include "tests/testing/run_binary.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

class Terminal {
 public:
  Terminal(const Command& command, int columns, int rows);  // uses its argv, env and cwd
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void Type(const std::string& text) const;
  void Press(const std::string& key) const;  // as tmux calls it: "Down", "C-c", "M-w"
  void Paste(const std::string& text) const;
  void Resize(int columns, int rows) const;

  // The text of the screen, without blanks at the ends of lines.
  std::string Screen() const;
  // Waits until the screen has the text; false if it never does.
  bool Shows(const std::string& text) const;
  bool Becomes(const std::function<bool(const std::string& screen)>& wanted) const;

 private:
  std::string Tmux(std::vector<std::string> arguments) const;

  TempTree folder_;  // of the socket
};

}  // namespace forge::testing
