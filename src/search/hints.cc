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

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return IsAsciiLetter(static_cast<unsigned char>(c)); });
}

bool HasCapital(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

class Tries {
 public:
  Tries(const SearchRequest& request, bool names_file, bool fuzzy_tried)
      : original_(request), names_file_(names_file), fuzzy_tried_(fuzzy_tried) {
    AddFuzzy();
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
Change NeededFor(const std::string& found, const std::string& pattern) {
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
                      .path = std::move(event.path),
                      .line_number = event.line_number,
                      .match_text = std::move(event.match_text)});
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
    if (deadline.expired() && !KnowsWithoutLooking(tries[i].change)) continue;
    finder.Add(tries[i], look(tries[i], ShareOf(deadline, i, tries.size())));
  }
  return finder.Take();
}

}  // namespace forge
