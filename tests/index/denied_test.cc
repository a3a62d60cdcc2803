// SEC-LSI-02, I6: no name and no gram of a denied file is stored, at any time, also
// after the deny list has changed. The test reads every byte of the cache folder.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/index/fault_world.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

// The files of the cache folder that have this text: database, log, shared memory,
// segments, stamps, locks.
std::string FilesWith(const FaultWorld& world, std::string_view text) {
  std::string names;
  for (const auto& entry : fs::recursive_directory_iterator(world.cache.root())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::string name = entry.path().filename().string();
    if (bytes.find(text) != std::string::npos || name.find(text) != std::string::npos) names += name + " ";
  }
  return names;
}

std::size_t CountSegments(const FaultWorld& world) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(world.cache.root())) {
    count += entry.path().extension() == ".seg" ? 1U : 0U;
  }
  return count;
}

// Whether a segment says that a document has this gram.
bool HasGram(FaultWorld& world, const std::string& gram) {
  index::TokenQuery query;
  query.plan = PlanForLiteral(gram);
  query.literal = gram;
  for (const auto& [id, segment] : world.root().snapshot()->segments) {
    const auto docs = segment->Candidates(query);
    EXPECT_TRUE(docs.ok());
    if (docs->HasAny(0, segment->doc_count())) return true;
  }
  return false;
}

void Fill(FaultWorld& world) {
  FillTree(world.tree, 30);
  world.tree.Write("zqnameone.secret", "needle zqxone\n");
  world.tree.Write("zqvault/zqinner", "needle zqxtwo\n");
  world.tree.Write("d1/zqlater.txt", "needle zqxold\n");
  world.denies = {"*.secret", "zqvault/"};
}

void ExpectNothingOf(FaultWorld& world, const std::vector<std::string>& texts, const std::string& when) {
  for (const std::string& text : texts) EXPECT_EQ(FilesWith(world, text), "") << text << ", " << when;
}

class DeniedInStore : public ::testing::TestWithParam<const char*> {};

TEST_P(DeniedInStore, NoNameAndNoGramIsStored) {
  FaultWorld world({.storage = "sqlite", .structure = GetParam()});
  Fill(world);
  world.OpenStored();
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("built");
  EXPECT_NE(world.Indexed(FaultWorld::Request("needle")).find("deny patterns"), std::string::npos)
      << "the answer still says how many were skipped";
  // What is allowed is found: these questions can be answered with yes.
  EXPECT_NE(FilesWith(world, "zqlater"), "");
  EXPECT_TRUE(HasGram(world, "zqxold"));
  EXPECT_FALSE(HasGram(world, "zqxone"));
  EXPECT_FALSE(HasGram(world, "zqxtwo"));
  ExpectNothingOf(world, {"zqnameone", "zqvault", "zqinner"}, "built");
  // Updates, and what is saved at the end.
  world.tree.Write("zqnametwo.secret", "needle\n");
  world.tree.Write("d2/f21.txt", "needle again\n");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("updated");
  world.tree.Write("zqnamethree.secret", "needle\n");
  world.ExpectSame("changed");
  world.root().Close();
  ExpectNothingOf(world, {"zqname", "zqvault", "zqinner"}, "open");
  world.Close();
  ExpectNothingOf(world, {"zqname", "zqvault", "zqinner"}, "closed");
}

// A file that was allowed, and was indexed in two versions, is denied. `reader`: another
// process has the index open, so its files cannot be replaced.
void DenyLater(const char* structure, bool reader) {
  FaultWorld world({.storage = "sqlite", .structure = structure});
  Fill(world);
  world.OpenStored();
  ASSERT_TRUE(world.Heal());
  world.tree.Write("d1/zqlater.txt", "needle zqxnew\n");
  ASSERT_TRUE(world.Heal());
  ASSERT_TRUE(HasGram(world, "zqxnew"));
  const index::IndexKey key = world.root().snapshot()->key;
  world.root().Close();
  world.Close();
  std::unique_ptr<index::Store> other;
  if (reader) {
    index::StoreOptions options;
    options.folder = world.config.index.path;
    other = std::move(*index::OpenStore(options, key, false));
    ASSERT_TRUE(other->Load().ok());
  }
  ASSERT_NE(FilesWith(world, "zqlater"), "");

  world.denies.emplace_back("zqlater*");
  world.write = false;
  world.OpenStored();
  EXPECT_EQ(world.State(), "UNCERTAIN/POLICY_CHANGED") << "a process that may not write";
  world.ExpectSame("another policy, not written");

  world.write = true;
  world.OpenStored();
  EXPECT_EQ(world.State(), "UNCERTAIN/POLICY_CHANGED");
  EXPECT_EQ(CountSegments(world), 0U);
  ExpectNothingOf(world, {"zqlater"}, "purged");
  world.ExpectSame("another policy");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
  for (const char* gram : {"zqxold", "zqxnew"}) EXPECT_FALSE(HasGram(world, gram)) << gram;
  ExpectNothingOf(world, {"zqlater", "zqname", "zqvault"}, "healed");
  other.reset();
  world.OpenStored();
  EXPECT_EQ(world.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
  world.ExpectSame("opened again");
  ExpectNothingOf(world, {"zqlater", "zqname", "zqvault"}, "opened again");
}

TEST_P(DeniedInStore, AnotherDenyListRemovesWhatWasStoredUnderTheOld) { DenyLater(GetParam(), false); }

TEST_P(DeniedInStore, AReaderDoesNotKeepIt) { DenyLater(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Structures, DeniedInStore, ::testing::Values("postings", "bloom"));

// The same tree, or a part of it, has an index under another key.
TEST(DeniedInOtherStores, TheIndexesOfOtherKeysGoToo) {
  FaultWorld world({.storage = "sqlite"});
  Fill(world);
  world.config.index.token_structure = TokenStructure::kBloom;
  world.OpenStored();
  ASSERT_TRUE(world.Heal());
  world.config.index.token_structure = TokenStructure::kPostings;
  world.OpenStored();
  ASSERT_TRUE(world.Heal());
  world.root().Close();
  world.Close();
  index::StoreOptions options;
  options.folder = world.config.index.path;
  ASSERT_EQ(index::ListStored(options).size(), 2U) << "the same policy: both stay";
  world.denies.emplace_back("zqlater*");
  world.OpenStored();
  ExpectNothingOf(world, {"zqlater"}, "purged");
  EXPECT_EQ(CountSegments(world), 0U);
}

}  // namespace
}  // namespace forge::testing
