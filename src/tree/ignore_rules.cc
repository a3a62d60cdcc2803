#include "tree/ignore_rules.h"

#include <utility>

namespace forge {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

// Trailing spaces do not count unless escaped. Tabs do.
std::string_view WithoutTrailingSpaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      if (++i == line.size()) return line;
      end = i + 1;
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text, LetterCase letters)
    : bytes_(text.size()), table_(Read(text, letters), letters) {}

std::vector<PathPattern> IgnoreRules::Read(std::string_view text, LetterCase letters) {
  std::vector<PathPattern> out;
  if (text.starts_with(kBom)) text.remove_prefix(kBom.size());
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    AddLine(WithoutTrailingSpaces(line.substr(0, line.find('\0'))), letters, out);
  }
  return out;
}

void IgnoreRules::AddLine(std::string_view line, LetterCase letters, std::vector<PathPattern>& out) {
  const bool negated = line.starts_with('!');
  if (negated) line.remove_prefix(1);
  const bool folder_only = line.ends_with('/');
  if (folder_only) line.remove_suffix(1);
  const bool basename = line.find('/') == std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  PathPattern rule = MakePathPattern(line, letters);
  rule.basename = basename;
  rule.folder_only = folder_only;
  out.push_back(std::move(rule));
  negated_.push_back(negated);
}

Verdict IgnoreRules::Decide(std::string_view path, std::string_view name, bool is_folder, Pace* pace) const {
  const PathTable::Index best = table_.LastMatch(path, name, is_folder, pace);
  if (best < 0) return Verdict::kNone;
  return negated_[static_cast<std::size_t>(best)] ? Verdict::kInclude : Verdict::kIgnore;
}

}  // namespace forge
