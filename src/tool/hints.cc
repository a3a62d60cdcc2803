#include "tool/hints.h"

#include "base/strings.h"

namespace forge::tool {
namespace {

using Change = Hint::Change;

struct Words {
  const char* fields;
  const char* options;
};

Words WordsFor(Change change) {
  switch (change) {
    case Change::kOneEdit: return {"with fuzzy = 1", "with --fuzzy 1"};
    case Change::kNearly: return {"with fuzzy = 1 and case = \"insensitive\"", "with --fuzzy 1 -i"};
    case Change::kAnyCase: return {"with case = \"insensitive\"", "with -i"};
    case Change::kSpelling: return {"with another spelling", "with another spelling"};
    case Change::kPlainText: return {"with fixed_strings = true", "with -F"};
    case Change::kExpression: return {"with fixed_strings = false", "without -F"};
    case Change::kPartOfWord: return {"with word_regexp = false", "without -w"};
    case Change::kAnyPath: return {"without path", "without PATH"};
    case Change::kAnyGlob: return {"without include_glob and exclude_glob", "without -g"};
    case Change::kAnyType: return {"without type", "without -t and -T"};
    case Change::kBelow: return {"with recursive = true", "without --no-recursive"};
    case Change::kHidden: return {"with hidden = true", "with --hidden"};
    case Change::kNoIgnore: return {"with no_ignore = true", "with --no-ignore"};
  }
  return {"", ""};
}

// The match itself, where it is not what was asked for.
bool ShowsText(Change change) {
  return change == Change::kOneEdit || change == Change::kNearly || change == Change::kAnyCase ||
         change == Change::kSpelling;
}

std::string LineOf(const Hint& hint, HintWords words) {
  const Words known = WordsFor(hint.change);
  const std::string change = words == HintWords::kFields ? known.fields : known.options;
  if (hint.untried == 1) return change + " " + ShownName(hint.path) + " would be searched, too; it was not tried.";
  if (hint.untried > 1) {
    return change + " " + ShownName(hint.path) + " and " + std::to_string(hint.untried - 1) +
           " more would be searched, too; they were not tried.";
  }
  const std::string text = ShowsText(hint.change) ? "\"" + Echo(hint.match_text) + "\" in " : "";
  return change + " there is a match: " + text + ShownName(hint.path) + " line " + std::to_string(hint.line_number) +
         ".";
}

}  // namespace

std::vector<std::string> HintLines(const std::vector<Hint>& hints, HintWords words) {
  std::vector<std::string> lines;
  lines.reserve(hints.size());
  for (const Hint& hint : hints) lines.push_back(LineOf(hint, words));
  return lines;
}

}  // namespace forge::tool
