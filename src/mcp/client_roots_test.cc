#include "mcp/client_roots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

namespace forge::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

TEST(FileUri, IsAPathOnlyIfItNamesOne) {
  const std::pair<const char*, std::optional<std::string>> cases[] = {
      {"file:///home/me", "/home/me"},
      {"file:///a%20b%2Fc", "/a b/c"},
      {"file://localhost/a", "/a"},
      {"file:///", "/"},
      {"file://host/a", std::nullopt},
      {"https://a/b", std::nullopt},
      {"file:///a%2", std::nullopt},
      {"file:///a%zz", std::nullopt},
      {"file:///a%00b", std::nullopt},
      {"/home/me", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [uri, path] : cases) EXPECT_EQ(PathOfFileUri(uri), path) << uri;
}

TEST(ClientRoots, WhatIsNoFolderIsLeftOut) {
  const auto folders = [](const char* text) { return FoldersOf(nlohmann::json::parse(text)); };
  EXPECT_THAT(folders(R"({"roots":[{"uri":"file:///a"},{"uri":"http://b"},{"uri":7},{},3,{"uri":"file:///c"}]})"),
              ElementsAre("/a", "/c"));
  for (const char* odd : {"{}", "[]", "null", "7", R"({"roots":{}})", R"({"roots":null})"}) {
    EXPECT_THAT(folders(odd), IsEmpty()) << odd;
  }
}

TEST(ClientRoots, ACallWaitsForAnAnswerThatIsUnderWay) {
  ClientRoots roots(true, 60s);
  EXPECT_THAT(roots.Get(), IsEmpty()) << "no question is under way";
  roots.Asked();
  std::thread client([&] { roots.Answered({"/a"}); });
  EXPECT_THAT(roots.Get(), ElementsAre("/a"));
  client.join();
}

TEST(ClientRoots, AClientThatNeverAnswersHoldsUpNothing) {
  ClientRoots roots(true, 1ms);
  roots.Answered({"/old"});
  roots.Asked();
  EXPECT_THAT(roots.Get(), ElementsAre("/old"));
}

}  // namespace
}  // namespace forge::mcp
