// `index verify`: the index agrees with the files.
#include <gtest/gtest.h>

#include "indexer/inspect.h"
#include "os/named_file.h"
#include "tests/index/fault_world.h"

namespace forge::testing {
namespace {

class VerifyIndex : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    FillTree(world_.tree, 60);
    world_.tree.Write("large", Lines(3000));
    world_.tree.Write("empty", "");
    world_.Open();
    ASSERT_TRUE(world_.Heal());
  }

  static std::string Lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + " of many\n";
    return text;
  }

  IndexVerification Verify(const index::Snapshot& snapshot) const {
    const auto sandbox = Sandbox::Create({world_.Root()}, "", {});
    const auto root = SearchRoot::Open(*sandbox, world_.Root(), false);
    return indexer::Verify(*root, snapshot, {});
  }

  // As if the file had been indexed with its present content.
  index::Snapshot Believing(const std::string& path) {
    index::Snapshot snapshot = *world_.root().snapshot();
    const index::PackedRow* old = snapshot.catalog.Find(path);
    index::CatalogRow row;
    row.path = path;
    row.info = *os::StatPath(world_.tree.Path(path));
    row.status = old->status;
    row.settled = old->settled;
    row.segment = old->segment;
    row.docs = old->docs;
    snapshot.catalog = snapshot.catalog.With({row}, {});
    return snapshot;
  }

  FaultWorld world_{{.structure = GetParam()}};
};

TEST_P(VerifyIndex, FindsNothingWrong) {
  const IndexVerification verified = Verify(*world_.root().snapshot());
  EXPECT_EQ(verified.files, 62U);
  EXPECT_EQ(verified.changed, 0U);
  EXPECT_EQ(verified.not_indexed, 0U);
  EXPECT_THAT(verified.problems, ::testing::IsEmpty());
}

TEST_P(VerifyIndex, CountsWhatChanged) {
  world_.tree.Write("d1/f11.txt", "other\n");
  world_.tree.Remove("d2");
  const IndexVerification verified = Verify(*world_.root().snapshot());
  EXPECT_EQ(verified.files, 51U);
  EXPECT_EQ(verified.changed, 11U);
  EXPECT_THAT(verified.problems, ::testing::IsEmpty());
}

// A wrong character is found at every place.
TEST_P(VerifyIndex, FindsEveryGramThatIsMissing) {
  const std::string text = Lines(3000);
  for (const std::size_t at : {std::size_t{1}, text.size() / 3, text.size() / 2 + 1, text.size() - 2}) {
    std::string other = text;
    other[at] = '~';
    world_.tree.Write("large", other);
    const IndexVerification verified = Verify(Believing("large"));
    EXPECT_EQ(verified.files, 62U);
    EXPECT_THAT(verified.problems, ::testing::ElementsAre(::testing::StartsWith("large: would be left out"))) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Structures, VerifyIndex, ::testing::Values("postings", "bloom"));

}  // namespace
}  // namespace forge::testing
