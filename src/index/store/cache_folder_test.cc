#include "index/store/cache_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"

namespace forge::index {
namespace {

using ::testing::HasSubstr;

class CacheFolderTest : public ::testing::Test {
 protected:
  CacheFolderRequest Wanting(const std::string& path) const {
    CacheFolderRequest request;
    request.index_path = path;
    request.working_dir = tree_.root();
    return request;
  }
  static std::string ReasonOf(const CacheFolder& folder) {
    EXPECT_EQ(folder.path.empty(), folder.reason.has_value());
    EXPECT_FALSE(folder.reason && folder.message.empty());
    return folder.reason ? std::string(Name(*folder.reason)) : "";
  }

  testing::TempTree tree_;
};

TEST_F(CacheFolderTest, TheFirstThatIsSetIsChosen) {
  const std::string own = "forge-search-" + std::to_string(geteuid());
  const struct {
    std::string index_path;
    Environment::Variables variables;
    std::string chosen;
  } cases[] = {
      {"/x/y/", {{"XDG_CACHE_HOME", "/c"}}, "/x/y"},
      {"x/../y", {{"XDG_CACHE_HOME", "/c"}}, tree_.root() + "/y"},
      {"", {{"XDG_CACHE_HOME", "/c"}, {"HOME", "/h"}}, "/c/forge/search-index"},
      {"", {{"XDG_CACHE_HOME", "relative"}, {"HOME", "/h"}}, "/h/.cache/forge/search-index"},
      {"", {{"XDG_CACHE_HOME", ""}, {"HOME", "/h"}}, "/h/.cache/forge/search-index"},
      {"", {{"TMPDIR", "/t"}}, "/t/" + own},
      {"", {}, "/tmp/" + own},
  };
  for (const auto& c : cases) EXPECT_EQ(ChosenCachePath(Wanting(c.index_path), Environment(c.variables)), c.chosen);
}

TEST_F(CacheFolderTest, AMissingFolderIsMadeForTheUserAlone) {
  const mode_t before = umask(0);
  const CacheFolder folder = FindCacheFolder({}, Environment({{"HOME", tree_.root()}}));
  umask(before);
  EXPECT_EQ(folder.path, tree_.Path(".cache/forge/search-index"));
  EXPECT_EQ(folder.message, "");
  for (const auto* name : {".cache", ".cache/forge", ".cache/forge/search-index"}) {
    struct stat st;
    ASSERT_EQ(stat(tree_.Path(name).c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 0777U, 0700U) << name;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path)) << "nothing is left of the trial";
  EXPECT_EQ(ReasonOf(FindCacheFolder({}, Environment({{"HOME", tree_.root()}}))), "") << "and is found again";
}

TEST_F(CacheFolderTest, ItMayNotBeSearched) {
  const struct {
    std::string root;
    std::string reason;
  } cases[] = {
      {tree_.root(), "INSIDE_INDEX_ROOT"}, {tree_.Path("cache"), "INSIDE_INDEX_ROOT"},
      {"/", "INSIDE_INDEX_ROOT"},          {tree_.Path("cach"), ""},
      {tree_.Path("cache/below"), ""},
  };
  for (const auto& c : cases) {
    CacheFolderRequest request = Wanting(tree_.Path("cache"));
    request.index_roots = {"/nowhere", c.root};
    EXPECT_EQ(ReasonOf(FindCacheFolder(request, {})), c.reason) << c.root;
    if (c.reason.empty()) continue;
    EXPECT_FALSE(std::filesystem::exists(tree_.Path("cache"))) << "nothing is written into a searched folder";
  }
}

TEST_F(CacheFolderTest, ALinkedParentDoesNotHideWhereItIs) {
  tree_.MakeFolder("project/sub");
  tree_.Link("project/sub", "link");
  CacheFolderRequest request = Wanting(tree_.Path("link/cache"));
  request.index_roots = {tree_.Path("project")};
  EXPECT_EQ(ReasonOf(FindCacheFolder(request, {})), "INSIDE_INDEX_ROOT");
  EXPECT_FALSE(std::filesystem::exists(tree_.Path("project/sub/cache")));
  request.index_roots = {};
  EXPECT_EQ(FindCacheFolder(request, {}).path, tree_.Path("project/sub/cache"));
}

TEST_F(CacheFolderTest, ItMayNotBeDenied) {
  SandboxConfig config;
  config.denied_patterns = {"**/secret/**"};
  const Result<DenyList> denies = DenyList::Create(config, {});
  ASSERT_TRUE(denies);
  CacheFolderRequest request = Wanting(tree_.Path("secret/cache"));
  request.denies = &*denies;
  EXPECT_EQ(ReasonOf(FindCacheFolder(request, {})), "DENIED_PATTERN");
  EXPECT_FALSE(std::filesystem::exists(tree_.Path("secret")));
}

TEST_F(CacheFolderTest, ALinkInItsPlaceIsRefused) {
  tree_.MakeFolder("elsewhere");
  tree_.Link("elsewhere", "cache");
  EXPECT_EQ(ReasonOf(FindCacheFolder(Wanting("cache"), {})), "PERMISSION_DENIED");
}

TEST_F(CacheFolderTest, AFileInItsPlaceIsRefused) {
  tree_.Write("cache", "file");
  EXPECT_EQ(ReasonOf(FindCacheFolder(Wanting("cache"), {})), "NOT_CREATABLE");
  EXPECT_EQ(ReasonOf(FindCacheFolder(Wanting("cache/below"), {})), "NOT_CREATABLE");
}

TEST_F(CacheFolderTest, AFolderThatOthersMayEnterIsRefusedUnlessAllowed) {
  tree_.MakeFolder("cache");
  std::filesystem::permissions(tree_.Path("cache"), std::filesystem::perms(0755));
  CacheFolderRequest request = Wanting("cache");
  const CacheFolder refused = FindCacheFolder(request, {});
  EXPECT_EQ(ReasonOf(refused), "PERMISSION_DENIED");
  EXPECT_THAT(refused.message, HasSubstr("chmod 700"));
  request.allow_insecure = true;
  const CacheFolder allowed = FindCacheFolder(request, {});
  EXPECT_EQ(allowed.path, tree_.Path("cache"));
  EXPECT_THAT(allowed.message, HasSubstr("index_allow_insecure_persistence"));
}

TEST_F(CacheFolderTest, AForeignFolderIsRefusedEvenIfAllowed) {
  if (geteuid() != 0) GTEST_SKIP() << "NOT TESTED: only root has folders that another user would call foreign";
  tree_.MakeFolder("cache");
  std::filesystem::permissions(tree_.root(), std::filesystem::perms(0777));
  std::filesystem::permissions(tree_.Path("cache"), std::filesystem::perms(0777));
  CacheFolderRequest request = Wanting("cache");
  request.allow_insecure = true;
  EXPECT_EQ(testing::AsNobody([&] { return ReasonOf(FindCacheFolder(request, {})); }), "PERMISSION_DENIED");
  EXPECT_EQ(testing::AsNobody([&] { return ReasonOf(FindCacheFolder(Wanting("own"), {})); }), "");
}

TEST_F(CacheFolderTest, AFolderThatCannotBeMadeOrWrittenIsRefused) {
  std::filesystem::permissions(tree_.root(), std::filesystem::perms(0777));
  const std::string said = testing::AsNobody([&] {
    if (mkdir(tree_.Path("closed").c_str(), 0500) != 0) return std::string("mkdir failed");
    return ReasonOf(FindCacheFolder(Wanting("closed/below"), {})) + " " +
           ReasonOf(FindCacheFolder(Wanting("closed"), {}));
  });
  EXPECT_EQ(said, "PERMISSION_DENIED PERMISSION_DENIED");
  EXPECT_EQ(ReasonOf(FindCacheFolder(Wanting("/proc/no/such"), {})), "NOT_CREATABLE");
}

}  // namespace
}  // namespace forge::index
