#include "search/path_filter.h"

#include <fnmatch.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "tests/testing/temp_tree.h"
#include "tree/walk_testing.h"

namespace forge {
namespace {

using testing::Globs;
using Paths = std::set<std::string>;

std::vector<std::string> Wanted(const EligibilityRules& rules, const std::vector<std::string>& paths,
                                bool sees_hidden = true) {
  PathFilter filter(rules, sees_hidden);
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    if (filter.Wants(path)) out.push_back(path);
  }
  return out;
}

TEST(PathFilter, AFolderThatIsNotEligibleTakesAllBelowItAlong) {
  const std::vector<std::string> paths = {".h/a/b", "a/.h/b", "a/b", "out/src/a.c", "src/a.c", "src/out/b/c.c"};
  EXPECT_THAT(Wanted({.exclude = Globs({"out/"})}, paths), ::testing::ElementsAre("a/b", "src/a.c"));
  EXPECT_THAT(Wanted({.traversal = {.hidden = true}, .include = Globs({"src/"}), .exclude = Globs({"out"})}, paths),
              ::testing::ElementsAre("src/a.c"));
}

TEST(PathFilter, WithoutSubfoldersOnlyTheRootsOwnFilesAreWanted) {
  EXPECT_THAT(Wanted({.recursive = false}, {".h", "a", "a/b", "k.pem/"}), ::testing::ElementsAre("a"));
}

TEST(PathFilter, WhereNoPathIsHiddenNoneIsTestedForIt) {
  EXPECT_TRUE(PathFilter({}, false).open());
  EXPECT_FALSE(PathFilter({}, true).open());
  EXPECT_FALSE(PathFilter({.recursive = false}, false).open());
  EXPECT_TRUE(PathFilter({.traversal = {.hidden = true}}, true).open());
}

// The verdict on the last folder is kept: paths out of order must not meet an old one.
TEST(PathFilter, KeepsTheVerdictOfNoOtherFolder) {
  const EligibilityRules rules = {.include = Globs({"in/"}), .exclude = Globs({"out"})};
  const std::vector<std::string> paths = {"in/a", "a", "inn/a", "in/b", "in/out/a", "in/c", "out/a", "in", "in/d/e"};
  EXPECT_THAT(Wanted(rules, paths), ::testing::ElementsAre("in/a", "in/b", "in/c", "in/d/e"));
}

// --- The property: the walk, the filter over a list of paths, and a plain
// reference agree.

// A glob as git reads it, by fnmatch(3): for patterns without "**" and braces.
bool Takes(std::string pattern, const std::string& path, bool is_folder) {
  const bool folders_only = pattern.ends_with('/');
  if (folders_only) pattern.pop_back();
  if (folders_only && !is_folder) return false;
  const bool anchored = pattern.find('/') != std::string::npos;
  if (pattern.starts_with('/')) pattern.erase(0, 1);
  const std::string text = anchored ? path : path.substr(path.rfind('/') + 1);
  return fnmatch(pattern.c_str(), text.c_str(), FNM_PATHNAME) == 0;
}

struct Case {
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool hidden = false;
  bool recursive = true;

  EligibilityRules rules() const {
    return {.traversal = {.hidden = hidden, .no_ignore = true},
            .include = Globs(include),
            .exclude = Globs(exclude),
            .recursive = recursive};
  }
};

void showValue(const Case& c, std::ostream& out) {  // NOLINT(readability-identifier-naming): found by rapidcheck
  for (const auto& glob : c.include) out << "include " << glob << " ";
  for (const auto& glob : c.exclude) out << "exclude " << glob << " ";
  out << (c.hidden ? "hidden " : "") << (c.recursive ? "" : "flat");
}

bool IsDenied(const std::string& name) { return name.ends_with(".pem"); }

// How one file of the tree shows: itself, "DENIED ..." for it or a folder on its
// way, or "" for not at all.
std::string Reference(const std::string& file, const Case& c) {
  const auto any = [](const std::vector<std::string>& globs, const std::string& path, bool is_folder) {
    return std::any_of(globs.begin(), globs.end(), [&](const auto& glob) { return Takes(glob, path, is_folder); });
  };
  bool included = c.include.empty();
  for (std::size_t end = 0; end != std::string::npos;) {
    end = file.find('/', end + (end > 0 ? 1 : 0));
    const std::string path = file.substr(0, end);
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool is_folder = end != std::string::npos;
    if (name[0] == '.' && !c.hidden) return "";
    if (is_folder && !c.recursive) return "";
    if (any(c.exclude, path, is_folder)) return "";
    if (!is_folder && !included && !any(c.include, path, false)) return "";
    if (IsDenied(name)) return "DENIED " + path;
    for (const std::string& glob : c.include) included |= is_folder && glob.ends_with('/') && Takes(glob, path, true);
  }
  return file;
}

rc::Gen<std::vector<std::string>> Names(std::vector<std::string> from) {
  return rc::gen::resize(4, rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(from))));
}

rc::Gen<Case> AnyCase() {
  const std::vector<std::string> globs = {"*.c",  "a",      "a/",  "/a",   "/a/",      "a/b",   "a/*/",
                                          "?",    ".h",     ".h/", "*",    "*/",       "*.pem", "b/*.c",
                                          "[ab]", "/[!a]/", "?/?", "x.c/", "/a/b/x.c", "*/*/"};
  return rc::gen::build<Case>(rc::gen::set(&Case::include, Names(globs)), rc::gen::set(&Case::exclude, Names(globs)),
                              rc::gen::set(&Case::hidden),
                              rc::gen::set(&Case::recursive, rc::gen::weightedElement<bool>({{4, true}, {1, false}})));
}

rc::Gen<std::string> AnyFile() {
  return rc::gen::map(rc::gen::pair(Names({"a", "b", "a-b", ".h", "k.pem"}),
                                    rc::gen::element<std::string>("f", "x.c", "ab", ".hid", "s.pem", "x.h")),
                      [](const auto& parts) {
                        std::string path;
                        for (const std::string& folder : parts.first) path += folder + "/";
                        return path + parts.second;
                      });
}

TEST(PathFilter, TheWalkTheFilterAndAPlainReferenceAgree) {
  EXPECT_TRUE(rc::check([] {
    const auto files = *rc::gen::resize(12, rc::gen::container<std::vector<std::string>>(AnyFile()));
    const testing::TempTree tree;
    for (const std::string& file : files) tree.Write(file, "");
    const auto all =
        testing::WalkAll(tree.root(), {.rules = {.traversal = {.hidden = true, .no_ignore = true}}, .threads = 1});
    for (int i = 0; i < 6; ++i) {
      const auto c = *AnyCase();
      Paths expected;
      for (const std::string& file : files) expected.insert(Reference(file, c));
      expected.erase("");
      const auto walked = testing::WalkAll(tree.root(), {.rules = c.rules(), .threads = 1});
      RC_ASSERT(Paths(walked.begin(), walked.end()) == expected);
      Paths filtered;
      PathFilter filter(c.rules(), true);
      for (const std::string& entry : all) {
        const bool denied = entry.starts_with("DENIED ");
        std::string path = denied ? entry.substr(7) : entry;
        if (denied && !path.ends_with("s.pem")) path += '/';  // as the catalog keeps a folder
        if (filter.Wants(path)) filtered.insert(entry);
      }
      RC_ASSERT(filtered == expected);
    }
  }));
}

}  // namespace
}  // namespace forge
