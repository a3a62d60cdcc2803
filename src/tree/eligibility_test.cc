#include "tree/eligibility.h"

#include <gtest/gtest.h>

#include "tests/testing/temp_tree.h"
#include "tree/walk_testing.h"

namespace forge {
namespace {

using testing::Globs;

std::string_view Name(Eligibility verdict) {
  switch (verdict) {
    case Eligibility::kEligible: return "eligible";
    case Eligibility::kHidden: return "hidden";
    case Eligibility::kTooDeep: return "too deep";
    case Eligibility::kExcluded: return "excluded";
    case Eligibility::kNotIncluded: return "not included";
    case Eligibility::kIgnored: return "ignored";
    case Eligibility::kDenied: return "denied";
  }
  return "";
}

// A tree in which `ignored*` is ignored, and the rest as the sandbox says.
class EligibilityTest : public ::testing::Test {
 protected:
  EligibilityTest() {
    tree_.Write(".ignore", "ignored*\n");
    const GitEnvironment environment;
    GitExcludes excludes(environment, sandbox_);
    std::vector<IgnoreFileError> errors;
    const testing::OpenRoot root(sandbox_, tree_.root());
    scope_ = IgnoreScope::Above(*root, excludes, errors);
    scope_ = IgnoreScope::Enter(scope_, (*root).fd(), tree_.root(), {.ignore = true}, excludes, errors);
  }

  // A path that ends in '/' is a folder.
  std::string Judged(std::string path, const EligibilityRules& rules, bool folder_included = false) const {
    const bool is_folder = path.ends_with('/');
    if (is_folder) path.pop_back();
    const std::string absolute = tree_.Path(path);
    return std::string(Name(Judge(rules, {.relative = path,
                                          .name = std::string_view(path).substr(path.rfind('/') + 1),
                                          .is_folder = is_folder,
                                          .folder_included = folder_included,
                                          .ignore = scope_.get(),
                                          .sandbox = &sandbox_,
                                          .absolute = absolute})));
  }

  testing::TempTree tree_;
  Sandbox sandbox_ = testing::SandboxOf(tree_.root());
  std::shared_ptr<const IgnoreScope> scope_;
};

TEST_F(EligibilityTest, TheFirstReasonInTheOrderIsTheAnswer) {
  const EligibilityRules flat = {.include = Globs({"*.c"}), .exclude = Globs({"ex*", ".ex*"}), .recursive = false};
  const struct {
    const char* path;
    const char* verdict;
  } cases[] = {
      {"a.c", "eligible"},
      {".excluded.pem", "hidden"},      // also excluded, not included, denied
      {".sub/", "hidden"},              // also too deep
      {"excluded/", "too deep"},        // also excluded
      {"excluded.pem", "excluded"},     // also not included, denied
      {"ex.c", "excluded"},             // although included
      {"ignored.txt", "not included"},  // also ignored
      {"key.pem", "not included"},      // also denied
      {"ignored.c", "ignored"},
      {"id_rsa.c", "denied"},
  };
  for (const auto& c : cases) EXPECT_EQ(Judged(c.path, flat), c.verdict) << c.path;
  EXPECT_EQ(Judged("ignored.pem", {}), "ignored") << "what is ignored is not told as denied";
}

TEST_F(EligibilityTest, AnIncludeGlobAsksForFilesOnly) {
  const EligibilityRules rules = {.include = Globs({"*.c"})};
  EXPECT_EQ(Judged("sub/", rules), "eligible");
  EXPECT_EQ(Judged("sub/a.h", rules), "not included");
  EXPECT_EQ(Judged("sub/a.h", rules, true), "eligible") << "its folder was included";
  EXPECT_EQ(Judged("sub/a.pem", rules, true), "denied");
}

TEST_F(EligibilityTest, AFolderIsIncludedWholeByAGlobThatEndsInASlash) {
  const EligibilityRules rules = {.include = Globs({"src/", "/a/b/", "*.d"})};
  EXPECT_TRUE(rules.IncludesWhole("src"));
  EXPECT_TRUE(rules.IncludesWhole("x/src"));
  EXPECT_TRUE(rules.IncludesWhole("a/b"));
  EXPECT_FALSE(rules.IncludesWhole("x/a/b"));
  EXPECT_FALSE(rules.IncludesWhole("sub.d"));
  EXPECT_FALSE(EligibilityRules().IncludesWhole("src"));
}

TEST_F(EligibilityTest, BehindALinkWhereItReallyIsCountsToo) {
  Entry entry = {.relative = "x", .name = "x", .sandbox = &sandbox_, .absolute = "/r/x", .real = "/r/key.pem"};
  EXPECT_EQ(Judge({}, entry), Eligibility::kDenied);
  entry.real = "/r/y";
  EXPECT_EQ(Judge({}, entry), Eligibility::kEligible);
  entry.absolute = "/r/x.pem";
  EXPECT_EQ(Judge({}, entry), Eligibility::kDenied);
}

TEST_F(EligibilityTest, ANamedFileIsJudgedByGlobsAlone) {
  const EligibilityRules rules = {.include = Globs({"*.c"}), .exclude = Globs({"x*"}), .recursive = false};
  EXPECT_EQ(JudgeNamedFile({}, ".hidden"), Eligibility::kEligible);
  EXPECT_EQ(JudgeNamedFile(rules, ".h.c"), Eligibility::kEligible);
  EXPECT_EQ(JudgeNamedFile(rules, "a.h"), Eligibility::kNotIncluded);
  EXPECT_EQ(JudgeNamedFile(rules, "x.c"), Eligibility::kExcluded);
}

TEST_F(EligibilityTest, OnlyRulesThatLookAtPathsFilterThem) {
  EXPECT_TRUE(EligibilityRules().filters_paths()) << "hidden names are left out";
  EligibilityRules open = {.traversal = {.hidden = true}};
  EXPECT_FALSE(open.filters_paths());
  open.traversal.no_ignore = open.traversal.follow = true;
  EXPECT_FALSE(open.filters_paths());
  EXPECT_TRUE((EligibilityRules{.traversal = {.hidden = true}, .recursive = false}).filters_paths());
  EXPECT_TRUE((EligibilityRules{.traversal = {.hidden = true}, .include = Globs({"a"})}).filters_paths());
  EXPECT_TRUE((EligibilityRules{.traversal = {.hidden = true}, .exclude = Globs({"a"})}).filters_paths());
}

}  // namespace
}  // namespace forge
