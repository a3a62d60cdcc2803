// One answer on two systems: the program for Windows, under wine, against the one for
// this system, on the same generated trees.
//
// The trees have only what Windows can hold: no links, no FIFOs, no names that it
// does not allow or takes for the same. docs/systems.md says what that means for users.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/unicode.h"
#include "base/utf8.h"
#include "tests/equivalence/request_json.h"
#include "tests/equivalence/world.h"
#include "tests/testing/places.h"
#include "tests/windows/wine.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kRequestsPerWorld = 10;

bool HoldsName(const std::string& name) {
  if (name.find_first_of("\\/:*?\"<>|") != std::string::npos || name.ends_with('.') || name.ends_with(' '))
    return false;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20) return false;
  }
  return ValidUtf8Prefix(name) == name.size();
}

void RemoveWhatWindowsCannotHold(const TempTree& tree) {
  std::vector<fs::path> remove;
  std::set<std::string> names;  // in lower case
  for (auto at = fs::recursive_directory_iterator(tree.root()); at != fs::recursive_directory_iterator(); ++at) {
    std::string lower = at->path().string();
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    const bool kind = at->symlink_status().type() == fs::file_type::regular ||
                      at->symlink_status().type() == fs::file_type::directory;
    if (!kind || !HoldsName(at->path().filename().string()) || !names.insert(lower).second)
      remove.push_back(at->path());
  }
  for (const fs::path& path : remove) fs::remove_all(path);
}

// What a call prints, without what no two runs share, and with the drive that wine
// gives to this system's folders left out.
std::string Answer(std::vector<std::string> program, const std::string& root, const Json& request,
                   const std::vector<std::string>& options = {}, bool* excluded = nullptr) {
  program.insert(program.end(), {"--root", root, "--backend", "native"});
  program.insert(program.end(), options.begin(), options.end());
  program.insert(program.end(), {"call", "Search", "-"});
  const Ended ended = Do(std::move(program), request.dump());
  std::string text = ended.out;
  for (std::size_t at; (at = text.find("Z:/")) != std::string::npos;) text.erase(at, 2);
  Json answer = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (answer.is_discarded()) return "no JSON: " + ended.out + ended.err;
  if (excluded != nullptr) *excluded = answer.value("/stats/index_exclusion_used"_json_pointer, false);
  answer.erase("stats");
  return answer.dump();
}

TEST(Windows, GivesTheSameAnswer) {
  const std::vector<std::string> windows = WindowsProgram();
  const std::uint64_t cases = CaseCount(200);
  std::uint64_t with_matches = 0;
  for (std::uint64_t done = 0, world = FirstSeed(); done < cases; ++world) {
    Random random(world);
    const TempTree tree;
    MakeTree(random, tree);
    RemoveWhatWindowsCannotHold(tree);
    for (std::uint64_t i = 0; i < kRequestsPerWorld && done < cases; ++i, ++done) {
      const Json request = Json::parse(RequestJson(MakeRequest(random)));
      const std::string expected = Answer({ProgramPath()}, tree.root(), request);
      if (expected.find("\"match\"") != std::string::npos) ++with_matches;
      ASSERT_EQ(Answer(windows, OnWindows(tree.root()), request), expected)
          << "seed " << world << " request " << i << ": " << request.dump();
    }
  }
  EXPECT_GT(with_matches, cases / 5) << "of " << cases;
}

// Some files are written anew, some go, some come.
void Change(Random& random, const TempTree& tree) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tree.root())) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::uint64_t what = random.Below(6);
    if (what == 0) fs::remove(file);
    if (what == 1) std::ofstream(file, std::ios::app) << "foo bar needle\n";
    // The same size: only the stamps tell.
    if (what == 2 && fs::file_size(file) > 0) std::fstream(file, std::ios::in | std::ios::out) << 'x';
  }
  tree.Write("new" + std::to_string(random.Below(1000)) + ".c", "foo bar\nneedle\n");
}

// The index of Windows while the tree changes, against no index here (R1, LSI 10.2).
TEST(Windows, AnIndexChangesNoAnswer) {
  const std::vector<std::string> windows = WindowsProgram();
  const std::uint64_t cases = CaseCount(200) / 2;
  std::uint64_t excluded = 0;
  for (std::uint64_t done = 0, world = FirstSeed(); done < cases; ++world) {
    Random random(world);
    const TempTree tree;
    const TempTree cache;
    const std::string root = OnWindows(tree.root());
    const std::vector<std::string> index = {"--index", "on",
                                            "--set",   "tools.search.index_path=" + OnWindows(cache.root()),
                                            "--set",   "tools.search.emit_stats=true"};
    MakeTree(random, tree);
    RemoveWhatWindowsCannotHold(tree);
    for (int round = 0; round < 2 && done < cases; ++round) {
      std::vector<std::string> build = windows;
      build.insert(build.end(), {"--root", root});
      build.insert(build.end(), index.begin(), index.end());
      build.insert(build.end(), {"index", "build"});
      const Ended built = Do(build);
      ASSERT_EQ(built.exit_code, 0) << built.out << built.err;
      for (std::uint64_t i = 0; i < kRequestsPerWorld && done < cases; ++i, ++done) {
        if (i == kRequestsPerWorld / 2) Change(random, tree);
        const Json request = Json::parse(RequestJson(MakeRequest(random)));
        bool used = false;
        const std::string expected = Answer({ProgramPath()}, tree.root(), request);
        ASSERT_EQ(Answer(windows, root, request, index, &used), expected)
            << "seed " << world << " request " << i << ": " << request.dump();
        if (used) ++excluded;
      }
    }
  }
  EXPECT_GT(excluded, cases / 20) << "of " << cases << ": otherwise this shows nothing about the index";
}

}  // namespace
}  // namespace forge::testing
