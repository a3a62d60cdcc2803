// The real git, as an oracle. It sees an empty HOME, no system configuration
// and no variable of the calling process but PATH.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forge::testing {

// Runs `git -C folder ARGS...` with `input` on stdin; returns its stdout.
// `home` is HOME and the parent of .config. Exit codes over 1 throw, with
// git's message.
std::string RunGit(const std::string& folder, const std::vector<std::string>& args, std::string_view input = "",
                   const std::string& home = "/nonexistent");

// Ignore rules that mean to the installed git what `rules` mean to a current one.
// Before 2.52, a `**` right behind the literal beginning of a rule counted as a
// whole component: "foo**/bar" ignored "foobar".
std::string RulesForThisGit(std::string_view rules);

// Splits at NUL bytes; the last one ends the last part.
std::vector<std::string> SplitNul(std::string_view text);

}  // namespace forge::testing
