// ripgrep, as a line finder.
//
// Called as (found by experiment on 13 to 15; see docs/backends.md):
//   --no-config and a scrubbed environment; -a, because explicit files with a
//      NUL otherwise get shifted line numbers; --no-mmap, because a file cut
//      short under a map kills the process; --max-depth=0, because a folder that
//      replaced a file would be searched;
//   -0 -n --max-columns=1: a path, a NUL, a line number. The line itself is
//      replaced by a remark, so a line of 200 MB costs nothing, and unlike
//      --json the output is a few bytes a match.
// Its default engine runs in linear time and reads our finders as PCRE2 does.
#include <charconv>

#include "backend/searcher.h"

namespace forge {
namespace {

constexpr Version kMinimum{13, 0, 0};
// It loses matches of some alternations (ripgrep issue 2884).
constexpr Version kLossyFirst{14, 0, 0};
constexpr Version kLossyLast{14, 1, 0};

// path NUL line ':' remark LF
class RipgrepParser final : public RecordParser {
 protected:
  Cut CutRecord(std::string_view text, SeenRecord& record, std::size_t& used) override {
    const std::size_t nul = text.find('\0');
    if (nul == std::string_view::npos) return Cut::kNeedMore;
    const std::size_t lf = text.find('\n', nul);
    if (lf == std::string_view::npos) return Cut::kNeedMore;
    record.path = text.substr(0, nul);
    const char* begin = text.data() + nul + 1;
    const char* end = text.data() + lf;
    const auto [next, error] = std::from_chars(begin, end, record.line.line_number);
    if (error != std::errc() || next == end || *next != ':') return Cut::kGarbage;
    used = lf + 1;
    return Cut::kRecord;
  }
};

class RipgrepKind final : public SearcherKind {
 public:
  const char* name() const override { return "rg"; }
  bool supports_fuzzy() const override { return false; }

  std::optional<Searcher> Identify(std::string_view output) const override {
    const auto version = ParseVersion(output, "ripgrep");
    if (!version) return std::nullopt;
    Searcher searcher;
    searcher.name = name();
    searcher.version = *version;
    searcher.has_pcre2 = output.find("+pcre2") != std::string_view::npos;
    searcher.capabilities = {"literal", "regex"};
    if (*version < kMinimum) {
      searcher.problem = "version " + ToString(*version) + " is too old; ripgrep 13.0 or later is needed";
    } else if (*version >= kLossyFirst && *version <= kLossyLast) {
      searcher.problem =
          "version " + ToString(*version) + " loses matches (ripgrep issue 2884); use 13.x or 14.1.1 or later";
    }
    return searcher;
  }

  Status Check(const Searcher&, const Query&) const override { return {}; }

  std::vector<std::string> Arguments(const Query& query, bool) const override {
    const LineFinder& finder = query.finder;
    std::vector<std::string> args = {
        "--no-config", "--no-mmap", "--max-depth=0",  "-a", "--color=never", "--no-heading", "-H",
        "-n",          "-0",        "--max-columns=1"};
    if (finder.kind == LineFinder::Kind::kLiteral) args.emplace_back("-F");
    args.emplace_back(finder.ignore_case ? "-i" : "-s");
    if (const auto most = MostSeen(query)) args.push_back("--max-count=" + std::to_string(*most));
    args.insert(args.end(), {"-e", finder.text, "--"});
    return args;
  }

  std::unique_ptr<RecordParser> MakeParser() const override { return std::make_unique<RipgrepParser>(); }

  // "./x: Permission denied (os error 13)", from version 14 on after "rg: ".
  std::string_view ComplaintAbout(std::string_view line) const override {
    if (line.starts_with("rg: ")) line.remove_prefix(4);
    return line.starts_with("./") ? line : std::string_view();
  }
};

}  // namespace

const SearcherKind& Ripgrep() {
  static const RipgrepKind kind;
  return kind;
}

}  // namespace forge
