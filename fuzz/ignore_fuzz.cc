// Ignore files: our verdict is git's.
//
//   a .gitignore
//   ====
//   paths, one a line
#include "fuzz/fuzz.h"
#include "tests/testing/git.h"
#include "tests/testing/temp_tree.h"
#include "tree/ignore_rules.h"

namespace forge {
namespace {

// Paths that git and we understand in the same way: relative, without empty
// components, "." and "..", and without .git. With a colon in front, git takes the
// path for one of its patterns for paths.
bool IsPlain(std::string_view path) {
  if (path.empty() || path.front() == ':' || path.size() > 200 || path.find('\0') != path.npos) return false;
  std::size_t at = 0;
  while (at <= path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    std::string name(path.substr(at, end - at));
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name.empty() || name == "." || name == ".." || name.starts_with(".git") || name.starts_with("git~"))
      return false;
    at = end + 1;
  }
  return true;
}

// As a walk decides: what lies in an ignored folder is ignored.
bool Ignored(const IgnoreRules& rules, std::string_view path) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string_view upto = path.substr(0, end);
    const std::string_view name = upto.substr(upto.rfind('/') + 1);
    if (rules.Decide(upto, name, end != path.npos) == Verdict::kIgnore) return true;
    if (end == path.npos) return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::TempTree tree;
  static const std::string made = testing::RunGit(tree.root(), {"init", "-q"});
  const auto parts = fuzz::Parts(data, std::min<std::size_t>(size, 2000), 2);
  if (testing::RulesForThisGit(parts[0]) != parts[0]) return 0;  // where gits differ
  std::string asked;
  std::vector<std::string> paths;
  for (std::size_t at = 0; at < parts[1].size() && paths.size() < 50;) {
    const std::size_t end = std::min(parts[1].find('\n', at), parts[1].size());
    const std::string path = parts[1].substr(at, end - at);
    at = end + 1;
    if (!IsPlain(path)) continue;
    paths.push_back(path);
    asked += path + '\0';
  }
  if (paths.empty()) return 0;
  tree.Write(".gitignore", parts[0]);
  const IgnoreRules rules(parts[0]);
  const auto answer =
      testing::SplitNul(testing::RunGit(tree.root(), {"check-ignore", "--no-index", "--stdin", "-z"}, asked));
  for (const std::string& path : paths) {
    const bool theirs = std::find(answer.begin(), answer.end(), path) != answer.end();
    fuzz::Require(Ignored(rules, path) == theirs, theirs ? "git ignores" : "git does not ignore", path);
  }
  return 0;
}

}  // namespace forge
