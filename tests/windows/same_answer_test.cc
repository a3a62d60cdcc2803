// One answer on two systems: the program for Windows, under wine, against the one for
// this system, on the same generated trees.
//
//   scripts/test-windows       builds both and sets these:
//   FORGE_WINDOWS_PROGRAM      forge-search.exe
//   FORGE_WINE                 wine64
//   WINEPREFIX                 a folder for wine
//
// The trees have only what Windows can hold: no links, no FIFOs, no names that it
// does not allow or takes for the same. docs/systems.md says what that means for users.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/unicode.h"
#include "base/utf8.h"
#include "tests/equivalence/world.h"
#include "tests/testing/places.h"
#include "tests/testing/run_binary.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kRequestsPerWorld = 10;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) ADD_FAILURE() << name << " is not set; run scripts/test-windows";
  return value == nullptr ? "" : value;
}

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

Json ToJson(const SearchRequest& request) {
  static const char* const kCases[] = {"smart", "sensitive", "insensitive"};
  Json json = {{"pattern", LossyUtf8(request.pattern)},
               {"case", kCases[static_cast<int>(request.case_mode)]},
               {"fixed_strings", request.fixed_strings},
               {"word_regexp", request.word_regexp},
               {"include_glob", request.include_glob},
               {"exclude_glob", request.exclude_glob},
               {"recursive", request.recursive},
               {"hidden", request.hidden},
               {"follow", request.follow},
               {"no_ignore", request.no_ignore},
               {"context", request.context},
               {"timeout_ms", 600000}};
  if (!request.path.empty()) json["path"] = request.path;
  if (request.max_results) json["max_results"] = *request.max_results;
  if (request.max_matches_per_file) json["max_matches_per_file"] = *request.max_matches_per_file;
  if (request.max_files) json["max_files"] = *request.max_files;
  if (request.max_file_size_bytes) json["max_file_size_bytes"] = *request.max_file_size_bytes;
  return json;
}

// What a call prints, without what no two runs share, and with the drive that wine
// gives to this system's folders left out.
std::string Answer(std::vector<std::string> program, const std::string& root, const Json& request) {
  Command command;
  command.argv = std::move(program);
  for (const char* word : {"--root", root.c_str(), "--backend", "native", "call", "Search", "-"}) {
    command.argv.emplace_back(word);
  }
  // Wine makes files in the home folder, so it has to be one. It takes the encoding of
  // names from the locale.
  const TempTree home;
  command.env = {{"HOME", home.root()}, {"WINEDEBUG", "-all"}, {"LC_ALL", "C.UTF-8"}};
  for (const char* name : {"WINEPREFIX", "PATH"}) command.env[name] = Variable(name);
  command.stdin_text = request.dump();
  command.deadline = std::chrono::minutes(2);
  const Ended ended = RunProgram(command);
  std::string text = ended.out;
  for (std::size_t at; (at = text.find("Z:/")) != std::string::npos;) text.erase(at, 2);
  Json answer = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (answer.is_discarded()) return "no JSON: " + ended.out + ended.err;
  answer.erase("stats");
  return answer.dump();
}

TEST(Windows, GivesTheSameAnswer) {
  const std::vector<std::string> windows = {Variable("FORGE_WINE"), Variable("FORGE_WINDOWS_PROGRAM")};
  const std::uint64_t cases = CaseCount(200);
  std::uint64_t with_matches = 0;
  for (std::uint64_t done = 0, world = FirstSeed(); done < cases; ++world) {
    Random random(world);
    const TempTree tree;
    MakeTree(random, tree);
    RemoveWhatWindowsCannotHold(tree);
    for (std::uint64_t i = 0; i < kRequestsPerWorld && done < cases; ++i, ++done) {
      const Json request = ToJson(MakeRequest(random));
      const std::string expected = Answer({ProgramPath()}, tree.root(), request);
      if (expected.find("\"match\"") != std::string::npos) ++with_matches;
      ASSERT_EQ(Answer(windows, "Z:" + tree.root(), request), expected)
          << "seed " << world << " request " << i << ": " << request.dump();
    }
  }
  EXPECT_GT(with_matches, cases / 5) << "of " << cases;
}

}  // namespace
}  // namespace forge::testing
