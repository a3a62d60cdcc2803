#include "tool/hints.h"

#include <algorithm>
#include <utility>

#include "base/deadline.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace forge::tool {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMostTime{1000};
// A shorter pattern is near to everything.
constexpr std::size_t kShortestFuzzy = 4;

struct Variant {
  std::string change;
  SearchRequest request;
};

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

bool HasCapital(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool HasOperator(std::string_view text) { return text.find_first_of("\\^$.|?*+()[]{}") != std::string_view::npos; }

class Variants {
 public:
  explicit Variants(const SearchRequest& request) : original_(request) {
    AddMatching();
    AddScope();
    AddFuzzy();
  }

  std::vector<Variant> Take() { return std::move(list_); }

 private:
  SearchRequest& Add(std::string change) {
    Variant& variant = list_.emplace_back(std::move(change), original_);
    variant.request.context = 0;
    variant.request.max_results = 1;
    return variant.request;
  }

  void AddMatching() {
    const std::string& pattern = original_.pattern;
    const bool sensitive =
        original_.case_mode == CaseMode::kSensitive || (original_.case_mode == CaseMode::kSmart && HasCapital(pattern));
    if (sensitive && HasLetter(pattern)) Add("case = \"insensitive\"").case_mode = CaseMode::kInsensitive;
    if (HasOperator(pattern)) {
      Add(original_.fixed_strings ? "fixed_strings = false" : "fixed_strings = true").fixed_strings =
          !original_.fixed_strings;
    }
    if (original_.word_regexp) Add("word_regexp = false").word_regexp = false;
  }

  void AddScope() {
    if (!original_.hidden) {
      SearchRequest& hidden = Add("hidden = true");
      hidden.hidden = true;
      hidden.exclude_glob.emplace_back(".git");  // what git stores there is not meant
    }
    if (!original_.no_ignore) Add("no_ignore = true").no_ignore = true;
    if (!original_.include_glob.empty() || !original_.exclude_glob.empty()) {
      SearchRequest& all = Add("no include_glob and exclude_glob");
      all.include_glob.clear();
      all.exclude_glob.clear();
    }
    if (!original_.recursive) Add("recursive = true").recursive = true;
    if (!original_.path.empty() && original_.path != ".") Add("no path").path.clear();
  }

  void AddFuzzy() {
    const bool plain = original_.fixed_strings || !HasOperator(original_.pattern);
    if (!plain || original_.fuzzy || original_.pattern.size() < kShortestFuzzy) return;
    SearchRequest& fuzzy = Add("fuzzy = 1");
    fuzzy.fuzzy = 1;
    fuzzy.fixed_strings = true;  // the native backend takes nothing else
  }

  const SearchRequest& original_;
  std::vector<Variant> list_;
};

milliseconds TimeLeft(const Engine& engine, const SearchRequest& request, milliseconds elapsed) {
  const milliseconds allowed(request.timeout_ms.value_or(engine.config().search.default_timeout_ms));
  return std::min(allowed - elapsed, kMostTime);
}

}  // namespace

std::vector<std::string> HintsForNothing(Engine& engine, const SearchRequest& request, milliseconds elapsed,
                                         const CancelToken& cancel) {
  std::vector<std::string> hints;
  const auto end = Clock::now() + TimeLeft(engine, request, elapsed);
  for (Variant& variant : Variants(request).Take()) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    if (left.count() < 1 || cancel.cancelled()) break;
    variant.request.timeout_ms = left.count();
    // A variant may be impossible (no fuzzy matching, a bad regular expression).
    const auto answer = engine.Search(variant.request, {.cancel = cancel, .on_event = {}});
    if (!answer || answer->matches.empty()) continue;
    const Event& event = answer->matches.front();
    hints.push_back("with " + variant.change + " there is a match: " + Sanitize(LossyUtf8(event.path)) + " line " +
                    std::to_string(event.line_number) + ".");
  }
  return hints;
}

}  // namespace forge::tool
