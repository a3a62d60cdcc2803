// Types the same words into ripgrep and into forge-search, in the folder "tree".
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/acceptance/answer.h"

namespace forge::testing {

using Words = std::vector<std::string>;

// ripgrep respects case unless told otherwise, forge-search does not.
inline Words WithCase(Words words) {
  const auto says = [](const std::string& word) {
    return word == "-s" || word == "-S" || word == "--ignore-case" ||
           (word.starts_with("-") && !word.starts_with("--") && word.find('i') != std::string::npos);
  };
  if (std::none_of(words.begin(), words.end(), says)) words.insert(words.begin(), "-s");
  return words;
}

struct HabitTest : ::testing::Test {
  Ended Ours(Words words, const Words& global = {}) {
    words.insert(words.begin(), "search");
    words.insert(words.begin(), global.begin(), global.end());
    Command command = ForgeSearch(words);
    command.cwd = tree.Path("tree");
    command.env["XDG_CACHE_HOME"] = cache.root();
    return RunProgram(command);
  }

  Ended Theirs(Words words) {
    const bool sorted = std::any_of(words.begin(), words.end(), [](const auto& w) { return w.starts_with("--sort"); });
    if (!sorted) words.insert(words.begin(), {"--sort", "path"});
    words.insert(words.begin(), {"/usr/bin/rg", "--no-config"});
    Command command;
    command.argv = words;
    command.env["TERM"] = "xterm";
    command.cwd = tree.Path("tree");
    return RunProgram(command);
  }

  void ExpectTheSame(const Words& habit) {
    const Words words = WithCase(habit);
    const Ended theirs = Theirs(words);
    const Ended ours = Ours(words);
    EXPECT_EQ(ours.out, theirs.out) << ::testing::PrintToString(words) << ours.err;
    EXPECT_EQ(ours.exit_code, theirs.exit_code) << ::testing::PrintToString(words) << ours.err;
  }

  TempTree tree;
  TempTree cache;
};

}  // namespace forge::testing
