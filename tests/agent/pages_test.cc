// Pages of an answer: together they are the whole, and a longer one shows all that
// a shorter one does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "tests/agent/project.h"
#include "tests/testing/seed.h"

namespace forge::testing {
namespace {

using Places = std::vector<std::pair<std::string, std::uint64_t>>;
using nlohmann::json;

// Files with some lines that match.
void Fill(const TempTree& tree, Random& random) {
  const auto below = [&](std::size_t n) { return random.Below(n); };
  for (std::size_t f = 0; f < 5 + below(30); ++f) {
    std::string text;
    for (std::size_t line = 0; line < below(150); ++line) {
      text += below(3) == 0 ? "a needle " + std::string(below(250), 'x') + "\n" : "hay " + std::to_string(line) + "\n";
    }
    tree.Write("d" + std::to_string(below(6)) + "/f" + std::to_string(f) + ".txt", text);
  }
}

Places MatchesIn(const nlohmann::ordered_json& data) {
  Places places;
  for (const auto& event : data["matches"]) {
    if (event["type"] == "match") places.emplace_back(event["data"]["path"]["text"], event["data"]["line_number"]);
  }
  return places;
}

struct Way {
  std::string backend;
  IndexMode index;
};

class Pages : public ::testing::TestWithParam<Way> {
 protected:
  std::unique_ptr<Asker> Open(const TempTree& tree, const TempTree& cache) {
    EngineOptions options{.config = ConfigFor(GetParam().backend), .roots = {tree.root()}};
    options.config.search.index.mode = GetParam().index;
    options.config.search.index.path = cache.root();
    options.indexing = EngineOptions::Indexing::kForeground;
    auto asker = std::make_unique<Asker>(options);
    if (GetParam().index != IndexMode::kOff) {
      const Status built = asker->engine().BuildIndexes(false, [](const IndexStatus&) {}, {});
      EXPECT_TRUE(built) << built.error().message;
    }
    return asker;
  }

  // Every match that the library has, but for the cap on one file.
  static Places Whole(Engine& engine, const std::string& path) {
    Places places;
    SearchOptions options;
    options.on_event = [&](const Event& event) {
      if (event.type == Event::Type::kMatch) places.emplace_back(event.path, event.line_number);
    };
    SearchRequest request{.pattern = "needle", .path = path, .max_results = 1'000'000};
    if (!path.empty()) request.file_cap = FileCap::kNever;
    EXPECT_TRUE(engine.Search(request, options));
    return places;
  }

  Random random_{FirstSeed()};
};

TEST_P(Pages, TogetherAreEveryMatchOnce) {
  TempTree tree;
  TempTree cache;
  Fill(tree, random_);
  const auto asker = Open(tree, cache);
  const Places whole = Whole(asker->engine(), "");
  for (const int size : {7, 50, 1000}) {
    for (const int context : {0, 2}) {
      Places all;
      for (std::size_t offset = 0; offset <= whole.size(); offset += static_cast<std::size_t>(size)) {
        const Told told =
            asker->Ask({{"pattern", "needle"}, {"max_results", size}, {"offset", offset}, {"context", context}});
        const Places page = MatchesIn(told.data);
        EXPECT_LE(page.size(), static_cast<std::size_t>(size));
        all.insert(all.end(), page.begin(), page.end());
      }
      EXPECT_EQ(all, whole) << "pages of " << size << ", context " << context;
    }
  }
}

// A model that follows the advice of the text sees each line once.
TEST_P(Pages, TheAdviceOfTheTextLeadsToTheEnd) {
  TempTree tree;
  TempTree cache;
  Fill(tree, random_);
  const auto asker = Open(tree, cache);
  Places read;
  json call = {{"pattern", "needle"}};
  for (int page = 0; page < 1000; ++page) {
    const Told told = asker->Ask(call);
    std::istringstream lines(told.text);
    std::string path;
    for (std::string line; std::getline(lines, line);) {
      std::smatch found;
      if (std::regex_match(line, std::regex(R"(d\d+/f\d+\.txt)"))) path = line;
      if (std::regex_search(line, found, std::regex(R"(^(\d+):)"))) read.emplace_back(path, std::stoul(found[1]));
    }
    std::smatch next;
    if (!std::regex_search(told.text, next, std::regex("offset=(\\d+)"))) break;
    ASSERT_GT(std::stoul(next[1]), call.value("offset", 0U)) << told.text;
    call["offset"] = std::stoul(next[1]);
  }
  EXPECT_EQ(read, Whole(asker->engine(), ""));
}

// What the text shows: paths, lines, and places given by number.
std::set<std::string> Shown(const std::string& text) {
  std::set<std::string> shown;
  std::istringstream lines(text);
  std::string path;
  for (std::string line; std::getline(lines, line) && line.find("Shown: ") == std::string::npos;) {
    std::smatch found;
    if (std::regex_match(line, found, std::regex(R"((d\d+/f\d+\.txt): lines? (.*))"))) {
      path = found[1];
      std::istringstream numbers(found[2]);
      for (std::string n; std::getline(numbers, n, ',');) shown.insert(path + "@" + std::to_string(std::stoul(n)));
    } else if (std::regex_search(line, found, std::regex(R"(^(d\d+/f\d+\.txt):(\d+):)"))) {  // a definition
      path = found[1];
      shown.insert(path + "@" + found[2].str());
    } else if (std::regex_match(line, std::regex(R"(d\d+/f\d+\.txt)"))) {
      path = line;
    } else if (std::regex_search(line, found, std::regex(R"(^(\d+)[:-])"))) {
      shown.insert(path + "=" + line);
      if (line.find(':') != std::string::npos) shown.insert(path + "@" + found[1].str());
    }
    if (!path.empty()) shown.insert(path);
  }
  return shown;
}

TEST_P(Pages, RaisingTheLimitNeverShowsLess) {
  TempTree tree;
  TempTree cache;
  Fill(tree, random_);
  const auto asker = Open(tree, cache);
  for (const int context : {0, 3}) {
    std::set<std::string> before;
    for (int limit = 1; limit < 2000; limit += 1 + limit / 2) {
      const Told told = asker->Ask({{"pattern", "needle"}, {"max_results", limit}, {"context", context}});
      EXPECT_LE(told.text.size(), 10'000U);
      const std::set<std::string> now = Shown(told.text);
      for (const std::string& item : before)
        ASSERT_TRUE(now.contains(item)) << limit << ": " << item << "\n" << told.text;
      before = now;
    }
  }
}

TEST_P(Pages, TheTotalIsThatOfAllMatches) {
  TempTree tree;
  TempTree cache;
  Fill(tree, random_);
  for (int i = 0; i < 3; ++i) tree.Write("d9/f9" + std::to_string(i) + ".txt", "needle\n");
  const auto asker = Open(tree, cache);
  SearchOptions options;
  std::uint64_t matches = 0;
  std::uint64_t files = 0;
  options.on_file = [&](const FileReport& file) {
    matches += file.matched_lines;
    ++files;
  };
  ASSERT_TRUE(
      asker->engine().Search({.pattern = "needle", .report = Report::kCounts, .file_cap = FileCap::kNever}, options));
  const std::string total = std::to_string(matches) + " matches in " + std::to_string(files) + " files. ";
  EXPECT_THAT(asker->Ask({{"pattern", "needle"}, {"max_results", 2}}).text,
              ::testing::HasSubstr(total + "Shown: 1 to 2."));
}

TEST_P(Pages, TheCapOnAFileYieldsWhenThePathNamesIt) {
  TempTree tree;
  TempTree cache;
  std::string text;
  for (int i = 0; i < 120; ++i) text += "needle\n";
  tree.Write("d1/f1.txt", text);
  tree.Write("d1/f2.txt", "needle\n");
  const auto asker = Open(tree, cache);
  const Told folder = asker->Ask({{"pattern", "needle"}});
  EXPECT_EQ(MatchesIn(folder.data).size(), 51U);
  EXPECT_THAT(folder.text, ::testing::HasSubstr("121 matches in 2 files."));
  EXPECT_THAT(folder.text,
              ::testing::HasSubstr("Only the first 50 matches of each file are shown; more are in d1/f1.txt"));
  const Told file = asker->Ask({{"pattern", "needle"}, {"path", "d1/f1.txt"}});
  EXPECT_EQ(MatchesIn(file.data), Whole(asker->engine(), "d1/f1.txt"));
  EXPECT_THAT(file.text, ::testing::HasSubstr("120 matches in 1 file."));
}

INSTANTIATE_TEST_SUITE_P(Ways, Pages,
                         ::testing::Values(Way{"native", IndexMode::kOff}, Way{"native", IndexMode::kOn},
                                           Way{"ugrep", IndexMode::kOff}, Way{"ugrep", IndexMode::kOn},
                                           Way{"rg", IndexMode::kOff}, Way{"rg", IndexMode::kOn}),
                         [](const auto& way) {
                           return way.param.backend + (way.param.index == IndexMode::kOff ? "" : "WithIndex");
                         });

}  // namespace
}  // namespace forge::testing
