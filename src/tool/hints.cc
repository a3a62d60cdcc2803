#include "tool/hints.h"

#include <algorithm>
#include <utility>

#include "base/deadline.h"
#include "base/strings.h"

namespace forge::tool {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMostTime{1000};
// A shorter pattern is near to almost every word.
constexpr std::size_t kShortestFuzzy = 4;

struct Variant {
  const char* fields;   // the change, in the words of the tool
  const char* options;  // and in those of the command line
  SearchRequest request;
};

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

bool HasCapital(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

class Variants {
 public:
  explicit Variants(const SearchRequest& request) : original_(request) {
    AddMatching();
    AddScope();
    AddFuzzy();
  }

  std::vector<Variant> Take() { return std::move(list_); }

 private:
  SearchRequest& Add(const char* fields, const char* options) {
    Variant& variant = list_.emplace_back(Variant{fields, options, original_});
    variant.request.context = 0;
    variant.request.max_results = 1;
    return variant.request;
  }

  void AddMatching() {
    const std::string& pattern = original_.pattern;
    const bool sensitive =
        original_.case_mode == CaseMode::kSensitive || (original_.case_mode == CaseMode::kSmart && HasCapital(pattern));
    if (sensitive && HasLetter(pattern))
      Add("with case = \"insensitive\"", "with -i").case_mode = CaseMode::kInsensitive;
    if (!IsPlainText(pattern)) {
      if (original_.fixed_strings) {
        Add("with fixed_strings = false", "without -F").fixed_strings = false;
      } else {
        Add("with fixed_strings = true", "with -F").fixed_strings = true;
      }
    }
    if (original_.word_regexp) Add("with word_regexp = false", "without -w").word_regexp = false;
  }

  void AddScope() {
    if (!original_.hidden) {
      SearchRequest& hidden = Add("with hidden = true", "with --hidden");
      hidden.hidden = true;
      hidden.exclude_glob.emplace_back(".git");  // a match in git's own files is no help
    }
    if (!original_.no_ignore) Add("with no_ignore = true", "with --no-ignore").no_ignore = true;
    if (!original_.include_glob.empty() || !original_.exclude_glob.empty()) {
      SearchRequest& all = Add("without include_glob and exclude_glob", "without -g");
      all.include_glob.clear();
      all.exclude_glob.clear();
    }
    if (!original_.type_glob.empty() || !original_.exclude_type_glob.empty()) {
      SearchRequest& all = Add("without types", "without -t and -T");
      all.type_glob.clear();
      all.exclude_type_glob.clear();
    }
    if (!original_.recursive) Add("with recursive = true", "without --no-recursive").recursive = true;
    if (!original_.path.empty() && original_.path != ".") Add("without path", "without PATH").path.clear();
  }

  void AddFuzzy() {
    const bool plain = original_.fixed_strings || IsPlainText(original_.pattern);
    if (!plain || original_.fuzzy || original_.pattern.size() < kShortestFuzzy) return;
    SearchRequest& fuzzy = Add("with fuzzy = 1", "with --fuzzy 1");
    fuzzy.fuzzy = 1;
    fuzzy.fixed_strings = true;  // the native backend takes nothing else
  }

  const SearchRequest& original_;
  std::vector<Variant> list_;
};

milliseconds TimeLeft(const Engine& engine, const SearchRequest& request, milliseconds elapsed) {
  const milliseconds allowed = request.timeout.value_or(engine.config().search.default_timeout);
  return std::min(allowed - elapsed, kMostTime);
}

}  // namespace

std::vector<std::string> HintsForNothing(Engine& engine, const SearchRequest& request, milliseconds elapsed,
                                         const CancelToken& cancel, HintWords words) {
  std::vector<std::string> hints;
  const auto end = Clock::now() + TimeLeft(engine, request, elapsed);
  for (Variant& variant : Variants(request).Take()) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    if (left.count() < 1 || cancel.cancelled()) break;
    variant.request.timeout = left;
    // A variant may be impossible (no fuzzy matching, a bad regular expression).
    const auto answer = engine.Search(variant.request, {.cancel = cancel, .counted = false});
    if (!answer || answer->matches.empty()) continue;
    const Event& event = answer->matches.front();
    const std::string change = words == HintWords::kFields ? variant.fields : variant.options;
    hints.push_back(change + " there is a match: " + ShownName(event.path) + " line " +
                    std::to_string(event.line_number) + ".");
  }
  return hints;
}

}  // namespace forge::tool
