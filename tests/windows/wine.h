// Runs the program for Windows under wine.
//
//   scripts/test-windows       builds it and sets these:
//   FORGE_WINDOWS_PROGRAM      forge-search.exe
//   FORGE_WINE                 wine64
//   WINEPREFIX                 a folder for wine
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/run_binary.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

inline std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) ADD_FAILURE() << name << " is not set; run scripts/test-windows";
  return value == nullptr ? "" : value;
}

// The program's words, to be continued.
inline std::vector<std::string> WindowsProgram() { return {Variable("FORGE_WINE"), Variable("FORGE_WINDOWS_PROGRAM")}; }

// Wine gives this system's folders a drive.
inline std::string OnWindows(const std::string& path) { return "Z:" + path; }

// Wine makes files in the home folder, so it has to be one. It takes the encoding of
// names from the locale.
inline Command UnderWine(std::vector<std::string> argv, const TempTree& home) {
  Command command;
  command.argv = std::move(argv);
  command.env = {{"HOME", home.root()}, {"WINEDEBUG", "-all"}, {"LC_ALL", "C.UTF-8"}};
  for (const char* name : {"WINEPREFIX", "PATH"}) command.env[name] = Variable(name);
  command.deadline = std::chrono::minutes(2);
  return command;
}

// Also for programs of this system, in the same environment.
inline Ended Do(std::vector<std::string> argv, std::string in = "", std::string cwd = "") {
  const TempTree home;
  Command command = UnderWine(std::move(argv), home);
  command.stdin_text = std::move(in);
  command.cwd = std::move(cwd);
  return RunProgram(command);
}

}  // namespace forge::testing
