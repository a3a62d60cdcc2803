// Habits of grep that the parser of options would not understand.
//
//   -3           ->  -C 3
//   -rn -rin     ->  -n -in    (-r alone replaces, as in ripgrep)
//   -A=1         ->  -A1
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace forge::cli {

// Whether the option takes the word after it: "-e" and "--glob" do, "-i" does not.
using TakesValue = std::function<bool(const std::string& option)>;

// The words after `search`, up to "--", in the parser's words.
std::vector<std::string> UnderstandHabits(std::vector<std::string> words, const TakesValue& takes_value);

}  // namespace forge::cli
