#include "forge/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/testing/temp_tree.h"
#include "tests/testing/variable.h"

namespace forge {
namespace {

using ::testing::HasSubstr;
using testing::TempTree;

// A machine on which no program is found, while this lives.
class NoPrograms {
 public:
  NoPrograms() {
    if (const char* path = std::getenv("PATH")) before_ = path;
    testing::SetVariable("PATH", empty_.root());
  }
  ~NoPrograms() {
    if (before_) testing::SetVariable("PATH", *before_);
  }
  NoPrograms(const NoPrograms&) = delete;
  NoPrograms& operator=(const NoPrograms&) = delete;

 private:
  TempTree empty_;
  std::optional<std::string> before_;
};

TEST(Engine, WithoutUgrepAndRipgrepTheErrorSaysTheLineThatMakesItWork) {
  TempTree tree;
  tree.Write("a.txt", "needle\n");
  const NoPrograms machine;
  EngineOptions options{.roots = {tree.root()}};
  auto engine = Engine::Create(options);
  ASSERT_TRUE(engine.ok()) << engine.error().message;
  const auto failed = (*engine)->Search({.pattern = "needle"});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, ErrorKind::kExecutionFailed);
  EXPECT_THAT(failed.error().message, HasSubstr("ugrep: not found on PATH; rg: not found on PATH"));
  EXPECT_THAT(failed.error().message, HasSubstr("options.config.search.binary = \"native\""));

  options.config.search.binary = "native";  // that line
  engine = Engine::Create(options);
  ASSERT_TRUE(engine.ok()) << engine.error().message;
  const auto answer = (*engine)->Search({.pattern = "needle"});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->matches.size(), 1U);
}

}  // namespace
}  // namespace forge
