#include "cli/search_words.h"

#include <algorithm>
#include <string_view>

namespace forge::cli {
namespace {

// -0 is an option.
bool IsNumber(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '0' &&
         word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// Flags of grep without a value that stand beside -r in one word.
bool IsRecursiveHabit(std::string_view word) {
  return word.size() > 2 && word[0] == '-' && word[1] != '-' && word.find('r') != std::string_view::npos &&
         word.find_first_not_of("rnilwcHEPFovxsIR", 1) == std::string_view::npos;
}

// `-or '$1'`: what a replacement looks like, and hardly a pattern or a path does.
bool NamesAGroup(std::string_view word) {
  const std::size_t at = word.find('$');
  return at + 1 < word.size() && at != std::string_view::npos &&
         (word[at + 1] == '{' || (word[at + 1] >= '0' && word[at + 1] <= '9'));
}

// Whether the last letter of "-ie" takes the next word.
bool TakesNext(const std::string& word, const TakesValue& takes_value) {
  if (word.starts_with("--")) return word.find('=') == std::string::npos && takes_value(word);
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (takes_value(std::string("-") + word[i])) return i + 1 == word.size();
  }
  return false;
}

}  // namespace

std::vector<std::string> UnderstandHabits(std::vector<std::string> words, const TakesValue& takes_value) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string& word = words[i];
    if (word == "--") {
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    if (IsNumber(word)) {
      out.push_back("--context=" + word.substr(1));
      continue;
    }
    const bool replaces = word.ends_with('r') && i + 1 < words.size() && NamesAGroup(words[i + 1]);
    if (IsRecursiveHabit(word) && !replaces) std::erase(word, 'r');
    if (word.starts_with("--") && word.ends_with('=') && takes_value(word.substr(0, word.size() - 1))) {
      word.pop_back();  // the parser would take the next word as its value
      out.push_back(std::move(word));
      out.emplace_back();
      continue;
    }
    const bool one_letter = word.size() > 2 && word[0] == '-' && word[1] != '-' && word[2] == '=';
    if (one_letter && takes_value(word.substr(0, 2))) word.erase(2, 1);
    const bool takes_next = word.size() > 1 && word[0] == '-' && TakesNext(word, takes_value);
    out.push_back(std::move(word));
    if (takes_next && i + 1 < words.size()) out.push_back(std::move(words[++i]));
  }
  return out;
}

}  // namespace forge::cli
