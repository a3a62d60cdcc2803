// Git configuration: what we read is what git reads, where git accepts the file.
#include "fuzz/fuzz.h"
#include "tests/testing/git.h"
#include "tests/testing/temp_tree.h"
#include "tree/git_config.h"

namespace forge {
namespace {

std::string Shown(const GitConfigEntry& entry) {
  const std::string group = entry.section + (entry.subsection ? "." + *entry.subsection : "");
  const std::string name = group.empty() ? entry.key : group + "." + entry.key;
  return entry.value ? name + "\n" + *entry.value : name;
}

// git before 2.45 makes a blank of each white space in a value without quotes.
std::vector<std::string> WithBlanks(std::vector<std::string> entries) {
  for (std::string& entry : entries) {
    for (char& c : entry) c = c == '\t' || c == '\r' ? ' ' : c;
  }
  return entries;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::TempTree tree;
  const std::string text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 4096));
  std::vector<std::string> ours;
  const bool fine = ParseGitConfig(text, [&](const GitConfigEntry& entry) { ours.push_back(Shown(entry)); });
  if (!fine || text.find('\0') != text.npos) return 0;
  tree.Write("config", text);
  try {
    const auto theirs = testing::SplitNul(
        testing::RunGit(tree.root(), {"config", "--file", tree.Path("config"), "--no-includes", "--list", "-z"}));
    fuzz::Require(WithBlanks(ours) == WithBlanks(theirs), "git reads the same entries",
                  ours.empty() ? "" : ours.front());
  } catch (const std::exception&) {
    return 0;  // git refuses more than we do, and then ignores the file
  }
  return 0;
}

}  // namespace forge
