// ugrep, as a line finder.
//
// Called as (found by experiment on 3.0 to 7.8; see docs/backends.md):
//   -F for byte strings, -P for patterns: its own engine loses matches with \b
//      inside a pattern and compiles some patterns for minutes;
//   --mmap with -P: without it, matches are lost at the edges of its buffer;
//   -H, or a single file has no name in the output;
//   --format with %h (quoted path), line, byte offset, byte length, one record a
//      line (%u). --json has neither a valid form for odd names nor the match.
#include <charconv>

#include "backend/searcher.h"
#include "base/strings.h"

namespace forge {
namespace {

constexpr Version kMinimum{3, 0, 0};

// "path":line:offset:length, with \" and \\ in the path and nothing else
// escaped: a line feed in a name stands as it is.
class UgrepParser final : public RecordParser {
 protected:
  Cut CutRecord(std::string_view text, SeenRecord& record, std::size_t& used) override {
    if (text[0] != '"') return Cut::kGarbage;
    std::size_t at = 1;
    path_.clear();
    while (at < text.size() && text[at] != '"') {
      if (text[at] == '\\') ++at;
      if (at < text.size()) path_.push_back(text[at++]);
    }
    if (at >= text.size()) return Cut::kNeedMore;
    ++at;
    std::uint64_t* const numbers[] = {&record.line.line_number, &record.line.offset, &record.line.length};
    for (std::uint64_t* number : numbers) {
      if (at >= text.size()) return Cut::kNeedMore;
      if (text[at] != ':') return Cut::kGarbage;
      const char* begin = text.data() + at + 1;
      const char* end = text.data() + text.size();
      const auto [next, error] = std::from_chars(begin, end, *number);
      if (next == end) return Cut::kNeedMore;
      if (error != std::errc()) return Cut::kGarbage;
      at = static_cast<std::size_t>(next - text.data());
    }
    if (text[at] != '\n') return Cut::kGarbage;
    record.path = path_;
    used = at + 1;
    return Cut::kRecord;
  }

 private:
  std::string path_;
};

class UgrepKind final : public SearcherKind {
 public:
  const char* name() const override { return "ugrep"; }
  bool supports_fuzzy() const override { return true; }

  std::optional<Searcher> Identify(std::string_view output) const override {
    const auto version = ParseVersion(output, "ugrep");
    if (!version) return std::nullopt;
    const std::string_view first_line = output.substr(0, output.find('\n'));
    Searcher searcher;
    searcher.name = name();
    searcher.version = *version;
    searcher.has_pcre2 = first_line.find("+pcre2") != std::string_view::npos;
    searcher.capabilities = {"literal", "fuzzy"};
    if (searcher.has_pcre2) searcher.capabilities.insert(searcher.capabilities.begin() + 1, "regex (pcre2)");
    if (*version >= Version{7, 4, 0}) searcher.capabilities.emplace_back("file list (--from)");
    if (*version < kMinimum) {
      searcher.problem = "version " + ToString(*version) + " is too old; ugrep 3.0 or later is needed";
    }
    return searcher;
  }

  Status Check(const Searcher& searcher, const Query& query) const override {
    const bool needs_pcre2 = !query.fuzzy && query.finder.kind == LineFinder::Kind::kRegex;
    if (!needs_pcre2 || searcher.has_pcre2) return {};
    return ExecutionFailed(
        "this ugrep is built without PCRE2, which the pattern needs; use a fixed string, or set "
        "tools.search.binary to \"rg\" or \"native\"");
  }

  std::vector<std::string> Arguments(const Query& query, bool careful) const override {
    std::vector<std::string> args = {"-H",
                                     "-D",
                                     "skip",
                                     "-d",
                                     "skip",
                                     "--color=never",
                                     "--format=%h:%n:%b:%d%~%u",
                                     careful ? "--no-mmap" : "--mmap"};
    if (query.fuzzy) {
      AddFuzzy(query, args);
    } else {
      AddExact(query, args);
    }
    args.emplace_back("--");
    return args;
  }

  std::unique_ptr<RecordParser> MakeParser() const override { return std::make_unique<UgrepParser>(); }

  // "ugrep: warning: cannot read ./x: Permission denied"
  std::string_view ComplaintAbout(std::string_view line) const override {
    for (const std::string_view prefix : {"ugrep: warning: cannot read ", "ugrep: warning: cannot open ",
                                          "ugrep: warning: ", "ugrep: error: cannot read ", "ugrep: cannot read "}) {
      if (line.starts_with(prefix)) return line.substr(prefix.size());
    }
    return {};
  }

 private:
  static void AddExact(const Query& query, std::vector<std::string>& args) {
    const LineFinder& finder = query.finder;
    args.emplace_back(finder.kind == LineFinder::Kind::kLiteral ? "-F" : "-P");
    if (finder.ignore_case) args.emplace_back("-i");
    if (const auto most = MostSeen(query)) args.push_back("-m" + std::to_string(*most));
    args.insert(args.end(), {"-e", finder.text});
  }

  // Its metric decides (FR-LS-SRC-11). -P and -Z do not work together. With -F,
  // -i means ASCII in every version.
  static void AddFuzzy(const Query& query, std::vector<std::string>& args) {
    args.push_back("-Z" + std::to_string(*query.fuzzy));
    const bool plain = query.fixed_strings || IsPlainText(query.text);
    if (plain) args.emplace_back("-F");
    if (query.pattern.ignores_case()) args.emplace_back("-i");
    if (query.word_regexp) args.emplace_back("-w");
    args.insert(args.end(), {"-e", query.text});
  }
};

}  // namespace

const SearcherKind& Ugrep() {
  static const UgrepKind kind;
  return kind;
}

}  // namespace forge
