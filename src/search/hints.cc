#include "search/hints.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace forge {
namespace {

using Change = Hint::Change;

// A shorter pattern is near to almost every word.
constexpr std::size_t kShortestFuzzy = 4;
constexpr std::size_t kShortestSpelling = 5;
constexpr std::size_t kLongestSpelling = 64;

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return IsAsciiLetter(static_cast<unsigned char>(c)); });
}

bool HasCapital(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool IsWordCharacter(char c) {
  return IsAsciiLetter(static_cast<unsigned char>(c)) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == ' ';
}

// "clip[ _-]?line" for clip_line, ClipLine and "clip line"; nothing if it is one word.
std::string JoinedOtherwise(std::string_view name) {
  const auto is_joint = [](char c) { return c == '_' || c == '-' || c == ' '; };
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::string out;
  bool has_joint = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool inside = i > 0 && !is_joint(name[i - 1]) && !out.empty();
    const bool ends_word = inside && (is_joint(name[i]) || (is_capital(name[i]) && !is_capital(name[i - 1])));
    if (ends_word && i + 1 < name.size()) {
      out += "[ _-]?";
      has_joint = true;
    }
    if (!is_joint(name[i])) out += name[i];
  }
  return has_joint ? out : "";
}

// The names that models write for one that they remember wrongly: as an expression.
// Two exchanged letters are two mistakes to a fuzzy search, and joints often more.
std::string OtherSpellings(std::string_view name) {
  std::string out = JoinedOtherwise(name);
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (LowerAscii(name[i]) == LowerAscii(name[i + 1])) continue;
    std::string swapped(name);
    std::swap(swapped[i], swapped[i + 1]);
    out += (out.empty() ? "" : "|") + swapped;
  }
  return out;
}

class Tries {
 public:
  Tries(const SearchRequest& request, bool names_file, bool fuzzy_tried)
      : original_(request), names_file_(names_file), fuzzy_tried_(fuzzy_tried) {
    AddFuzzy();
    AddSpelling();
    AddMatching();
    AddScope();
    AddLeftOut();
  }

  std::vector<HintTry> Take() { return std::move(list_); }

 private:
  SearchRequest& Add(Change change) {
    SearchRequest& request = list_.emplace_back(HintTry{change, original_}).request;
    request.context = 0;
    request.before_context.reset();
    request.after_context.reset();
    request.max_results = 1;
    return request;
  }

  void AddFuzzy() {
    const bool plain = original_.fixed_strings || IsPlainText(original_.pattern);
    if (fuzzy_tried_ || !plain || original_.pattern.size() < kShortestFuzzy || !original_.more_patterns.empty()) return;
    SearchRequest& fuzzy = Add(Change::kOneEdit);
    fuzzy.fuzzy = 1;
    fuzzy.case_mode = CaseMode::kInsensitive;  // so that one try finds the other case, too
    fuzzy.fixed_strings = true;                // the native backend takes nothing else
  }

  void AddSpelling() {
    const std::string& name = original_.pattern;
    if (name.size() < kShortestSpelling || name.size() > kLongestSpelling || !original_.more_patterns.empty()) return;
    if (!std::ranges::all_of(name, IsWordCharacter) || !HasLetter(name)) return;
    SearchRequest& other = Add(Change::kSpelling);
    other.pattern = OtherSpellings(name);
    other.case_mode = CaseMode::kInsensitive;
    other.fixed_strings = false;
    other.fuzzy.reset();
    if (other.pattern.empty()) list_.pop_back();  // aaaaa
  }

  void AddMatching() {
    const std::string& pattern = original_.pattern;
    const bool sensitive =
        original_.case_mode == CaseMode::kSensitive || (original_.case_mode == CaseMode::kSmart && HasCapital(pattern));
    if (sensitive && HasLetter(pattern)) Add(Change::kAnyCase).case_mode = CaseMode::kInsensitive;
    if (!IsPlainText(pattern) && original_.fixed_strings) Add(Change::kExpression).fixed_strings = false;
    if (!IsPlainText(pattern) && !original_.fixed_strings) Add(Change::kPlainText).fixed_strings = true;
    if (original_.word_regexp) Add(Change::kPartOfWord).word_regexp = false;
  }

  void AddScope() {
    if (!original_.path.empty() && original_.path != ".") Add(Change::kAnyPath).path.clear();
    if (HasGlobs()) {
      SearchRequest& all = Add(Change::kAnyGlob);
      for (auto* globs : {&all.include_glob, &all.exclude_glob, &all.include_iglob, &all.exclude_iglob}) globs->clear();
    }
    if (!original_.type_glob.empty() || !original_.exclude_type_glob.empty()) {
      SearchRequest& all = Add(Change::kAnyType);
      all.type_glob.clear();
      all.exclude_type_glob.clear();
    }
    if (!original_.recursive && !names_file_) Add(Change::kBelow).recursive = true;
  }

  void AddLeftOut() {
    if (names_file_) return;
    if (!original_.hidden) Add(Change::kHidden).hidden = true;
    if (!original_.no_ignore) Add(Change::kNoIgnore).no_ignore = true;
  }

  bool HasGlobs() const {
    return !original_.include_glob.empty() || !original_.exclude_glob.empty() || !original_.include_iglob.empty() ||
           !original_.exclude_iglob.empty();
  }

  const SearchRequest& original_;
  const bool names_file_;
  const bool fuzzy_tried_;
  std::vector<HintTry> list_;
};

bool EqualsInAnyCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return LowerAscii(x) == LowerAscii(y); });
}

std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// One character replaced, dropped or added.
bool IsOneEditAway(std::string_view a, std::string_view b) {
  const auto begin = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  a.remove_prefix(static_cast<std::size_t>(begin.first - a.begin()));
  b.remove_prefix(static_cast<std::size_t>(begin.second - b.begin()));
  const auto end = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  a.remove_suffix(static_cast<std::size_t>(end.first - a.rbegin()));
  b.remove_suffix(static_cast<std::size_t>(end.second - b.rbegin()));
  return CountCharacters(a) <= 1 && CountCharacters(b) <= 1;
}

// What must change for a match that a try with one mistake in any case found.
Change NeededFor(std::string_view found, const std::string& pattern) {
  if (EqualsInAnyCase(found, pattern)) return Change::kAnyCase;
  return IsOneEditAway(found, pattern) ? Change::kOneEdit : Change::kNearly;
}

bool SamePlace(const Hint& hint, const Event& event) {
  return hint.path == event.path && hint.line_number == event.line_number;
}

// The first try gets half of the time, the others equal parts of the rest.
Deadline ShareOf(const Deadline& whole, std::size_t number, std::size_t count) {
  const auto left = std::max(whole.left(), Clock::duration::zero());
  const std::size_t parts = number == 0 ? std::min<std::size_t>(count, 2) : count - number;
  return Deadline(Clock::now() + left / static_cast<std::int64_t>(parts), whole.cancel());
}

bool KnowsWithoutLooking(Change change) { return change == Change::kHidden || change == Change::kNoIgnore; }

class Finder {
 public:
  // A change that leads to a line that another one leads to says nothing new.
  void Add(const HintTry& tried, TryResult result) {
    if (!result.match) {
      if (result.untried > 0) {
        hints_.push_back({.change = tried.change, .path = std::move(result.first_untried), .untried = result.untried});
      }
      return;
    }
    Event& event = *result.match;
    if (std::ranges::any_of(hints_, [&](const Hint& hint) { return SamePlace(hint, event); })) return;
    const bool nearly = tried.change == Change::kOneEdit;
    const Change change = nearly ? NeededFor(event.match_text, tried.request.pattern) : tried.change;
    hints_.push_back({.change = change,
                      .path = event.path.str(),
                      .line_number = event.line_number,
                      .match_text = event.match_text.str()});
  }

  bool Has(Change change) const {
    return std::ranges::any_of(hints_, [&](const Hint& hint) { return hint.change == change; });
  }

  std::vector<Hint> Take() { return std::move(hints_); }

 private:
  std::vector<Hint> hints_;
};

}  // namespace

std::vector<HintTry> HintTries(const SearchRequest& request, bool names_file, bool fuzzy_tried) {
  return Tries(request, names_file, fuzzy_tried).Take();
}

std::vector<Hint> FindHints(const std::vector<HintTry>& tries, const Deadline& deadline,
                            const std::function<TryResult(const HintTry&, const Deadline&)>& look) {
  Finder finder;
  for (std::size_t i = 0; i < tries.size() && !deadline.cancelled(); ++i) {
    if (finder.Has(tries[i].change)) continue;
    if (tries[i].change == Change::kSpelling && finder.Has(Change::kAnyCase)) continue;  // that is nearer
    if (deadline.expired() && !KnowsWithoutLooking(tries[i].change)) continue;
    finder.Add(tries[i], look(tries[i], ShareOf(deadline, i, tries.size())));
  }
  return finder.Take();
}

}  // namespace forge
