#include "cli/short_name.h"

namespace forge::cli {

std::vector<std::string> Unabbreviated(std::string_view invoked_as, std::vector<std::string> words, bool terminal) {
  if (invoked_as.substr(invoked_as.rfind('/') + 1) != kShortName) return words;
  words.insert(words.begin(), words.empty() && terminal ? "live" : "search");
  return words;
}

}  // namespace forge::cli
