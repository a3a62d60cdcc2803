// The stream from a catalog: what it hands out, counts and looks at again; and
// that it gives what a walk gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "search/eligible_stream.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"
#include "tree/walk_testing.h"

namespace forge {
namespace {

using index::CatalogRow;
using ::testing::ElementsAre;
using testing::Globs;
using testing::Random;

// Has the same candidates for every query.
class FixedSegment final : public index::Segment {
 public:
  explicit FixedSegment(index::DocSet candidates) : candidates_(std::move(candidates)) {}
  TokenStructure structure() const override { return TokenStructure::kPostings; }
  std::uint32_t doc_count() const override { return candidates_.size(); }
  Result<index::DocSet> Candidates(const index::TokenQuery&) const override { return candidates_; }
  std::span<const index::Block> Blocks(std::uint32_t, std::uint32_t) const override { return {}; }
  std::size_t memory() const override { return 0; }
  Status Verify() const override { return {}; }

 private:
  index::DocSet candidates_;
};

// A file with one document, which a query may exclude.
CatalogRow Row(std::string path, std::uint32_t doc, std::uint64_t size = 1) {
  CatalogRow row;
  row.path = std::move(path);
  row.status = index::TokenStatus::kFull;
  row.settled = true;
  row.segment = 1;
  row.docs = {doc, 1};
  row.info = {.type = os::FileType::kRegular, .size = size, .links = 1};
  return row;
}

CatalogRow Denied(std::string path) {
  CatalogRow row;
  row.path = std::move(path);
  row.kind = CatalogRow::Kind::kDenied;
  if (row.path.ends_with('/')) row.info.type = os::FileType::kDirectory;
  return row;
}

class CatalogStreamTest : public ::testing::Test {
 protected:
  CatalogStreamTest() {
    request_.size_limit = {100};
    request_.rules.traversal = {.hidden = true, .no_ignore = true};
    snapshot_->key.traversal.hidden = true;
  }

  // `candidates`: the documents that may match.
  void Index(const std::vector<CatalogRow>& rows, const std::vector<std::uint32_t>& candidates) {
    index::DocSet docs(static_cast<std::uint32_t>(rows.size()) + 1);
    for (const std::uint32_t doc : candidates) docs.Add(doc);
    snapshot_->catalog = index::Catalog(rows);
    snapshot_->segments[1] = std::make_shared<FixedSegment>(std::move(docs));
    use_ = {.snapshot = snapshot_,
            .prefix = "",
            .test = std::make_shared<index::Exclusion>(snapshot_, index::TokenQuery())};
  }

  using Maker = decltype(&StreamFromCatalog);

  // "path" or "DENIED path" of each entry, before it "+3" if three files before it
  // were excluded; the last may be a number alone.
  std::vector<std::string> All(Maker make = StreamFromCatalog) {
    const testing::OpenRoot root(sandbox_, tree_.Path(use_.prefix));
    const auto stream = make(*root, request_, use_, deadline_);
    std::vector<std::string> out;
    for (EligibleEntry entry; !entry.end;) {
      stream->Next(entry);
      if (entry.excluded > 0) out.push_back("+" + std::to_string(entry.excluded));
      if (!entry.end) out.push_back(testing::Printed(entry.entry));
    }
    timed_out_ = stream->timed_out();
    return out;
  }

  testing::TempTree tree_;
  Sandbox sandbox_ = testing::SandboxOf(tree_.root());
  CheckedRequest request_;
  std::shared_ptr<index::Snapshot> snapshot_ = std::make_shared<index::Snapshot>();
  IndexUse use_;
  Deadline deadline_;
  bool timed_out_ = false;
};

TEST_F(CatalogStreamTest, CountsWhatCannotMatchAndHandsOutTheRest) {
  Index({Row("a", 0), Row("b", 1), Row("c", 2), Row("d", 3)}, {2});
  EXPECT_THAT(All(), ElementsAre("+2", "c", "+1"));
  use_.test = nullptr;
  EXPECT_THAT(All(), ElementsAre("a", "b", "c", "d"));
}

TEST_F(CatalogStreamTest, AnEmptyCatalogHasNoEntries) {
  Index({}, {});
  EXPECT_THAT(All(), ElementsAre());
}

TEST_F(CatalogStreamTest, AFileOverTheLimitIsHandedOutForItsNote) {
  Index({Row("a", 0, 100), Row("b", 1, 101)}, {});
  EXPECT_THAT(All(), ElementsAre("+1", "b"));
}

TEST_F(CatalogStreamTest, ARowThatIsNotSettledOrNotIndexedIsHandedOut) {
  std::vector<CatalogRow> rows = {Row("a", 0), Row("b", 1), Row("c", 2)};
  rows[0].settled = false;
  rows[2].status = index::TokenStatus::kUnreadable;
  Index(rows, {});
  EXPECT_THAT(All(), ElementsAre("a", "+1", "c"));
}

TEST_F(CatalogStreamTest, DeniedRowsStandAtTheirPlace) {
  Index({Row("a", 0), Denied("b.pem"), Row("c", 1), Denied("k.key/"), Row("z", 2)}, {2});
  EXPECT_THAT(All(), ElementsAre("+1", "DENIED b.pem", "+1", "DENIED k.key", "z"));
  request_.rules.exclude = Globs({"b*", "k.key/"});
  EXPECT_THAT(All(), ElementsAre("+2", "z")) << "what is left out for another reason is not told";
}

TEST_F(CatalogStreamTest, HiddenRowsAreLeftOutUnlessAsked) {
  Index({Row(".h/a", 0), Row("a/.b", 1), Row("c", 2)}, {0, 1, 2});
  EXPECT_THAT(All(), ElementsAre(".h/a", "a/.b", "c"));
  request_.rules.traversal.hidden = false;
  EXPECT_THAT(All(), ElementsAre("c"));
}

TEST_F(CatalogStreamTest, APrefixIsAFolderAndNotTheBeginningOfAName) {
  Index({Row("a", 0), Row("a-b/x", 1), Row("a/x", 2), Row("a/y/z", 3), Row("a0", 4), Row("b", 5)}, {2, 4});
  tree_.MakeFolder("a/y");
  use_.prefix = "a";
  EXPECT_THAT(All(), ElementsAre("x", "+1"));
  use_.prefix = "a/y";
  EXPECT_THAT(All(), ElementsAre("+1"));
}

// Folders whose names differ in normal form only have their rows side by side.
TEST_F(CatalogStreamTest, TwinsOfThePrefixAreNotPartOfIt) {
  const std::string composed = "\u00E9";
  const std::string decomposed = "e\u0301";
  Index({Row(decomposed + "/a", 0), Row(composed + "/a", 1), Row(decomposed + "/b", 2), Row(composed + "/b", 3)}, {3});
  for (const std::string& folder : {composed, decomposed}) tree_.MakeFolder(folder);
  use_.prefix = composed;
  EXPECT_THAT(All(), ElementsAre("+1", "b"));
  use_.prefix = decomposed;
  EXPECT_THAT(All(), ElementsAre("+2"));
}

TEST_F(CatalogStreamTest, APageWithTwinsOfThePrefixIsNotCountedAsAWhole) {
  std::vector<CatalogRow> rows;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    for (const char* folder : {"e\u0301/", "\u00E9/"}) {
      rows.push_back(Row(folder + std::to_string(10000 + i), static_cast<std::uint32_t>(rows.size())));
    }
  }
  Index(rows, {});
  tree_.MakeFolder("\u00E9");
  use_.prefix = "\u00E9";
  EXPECT_THAT(All(), ElementsAre("+2000"));
}

// No watcher sees a write through a name outside the tree.
TEST_F(CatalogStreamTest, AHardLinkedRowIsLookedAtAgain) {
  const testing::TempTree outside;
  for (const char* name : {"changed", "same"}) {
    outside.Write(name, "old");
    std::filesystem::create_hard_link(outside.Path(name), tree_.Path(name));
  }
  std::vector<CatalogRow> rows = {Row("changed", 0), Row("gone", 1), Row("same", 2)};
  const testing::OpenRoot root(sandbox_, tree_.root());
  for (CatalogRow* row : {&rows[0], &rows[2]}) row->info = *os::StatBeneath((*root).fd(), row->path);
  rows[1].info.links = 2;
  Index(rows, {});
  outside.Write("changed", "newer");
  EXPECT_THAT(All(), ElementsAre("changed", "gone", "+1"));
  request_.rules.exclude = Globs({"nothing"});  // another way through the rows
  EXPECT_THAT(All(), ElementsAre("changed", "gone", "+1"));
}

TEST_F(CatalogStreamTest, PagesWithoutCandidatesArePassedOverAndCounted) {
  constexpr std::uint32_t kRows = 3000;  // six pages
  std::vector<CatalogRow> rows;
  for (std::uint32_t i = 0; i < kRows; ++i) rows.push_back(Row("f" + std::to_string(10000 + i), i));
  Index(rows, {0, 511, 512, 2900});
  ASSERT_GT(snapshot_->catalog.pages(), 3U);
  const auto expected = ElementsAre("f10000", "+510", "f10511", "f10512", "+2387", "f12900", "+99");
  EXPECT_THAT(All(), expected);
  request_.rules.exclude = Globs({"nothing"});
  EXPECT_THAT(All(), expected) << "row by row it is the same";
}

TEST_F(CatalogStreamTest, SpecialRowsKeepTheirPageFromBeingPassedOver) {
  std::vector<CatalogRow> rows;
  for (std::uint32_t i = 0; i < 2000; ++i) rows.push_back(Row("f" + std::to_string(10000 + i), i));
  rows[700].info.links = 2;  // nothing is there: it is handed out
  rows[1200].settled = false;
  rows[1700].info.size = 101;
  Index(rows, {});
  EXPECT_THAT(All(), ElementsAre("+700", "f10700", "+499", "f11200", "+499", "f11700", "+299"));
}

TEST_F(CatalogStreamTest, StopsAtTheDeadline) {
  Index({Row("a", 0), Row("b", 1)}, {0, 1});
  deadline_ = Deadline(Clock::now());
  EXPECT_THAT(All(), ElementsAre());
  EXPECT_TRUE(timed_out_);
}

// The deadline passes while the globs are tried on the only page.
TEST_F(CatalogStreamTest, ADeadlineWithinTheLastPageIsSaid) {
  std::vector<CatalogRow> rows;
  for (std::uint32_t i = 0; i < 300; ++i) rows.push_back(Row(std::to_string(1000 + i) + std::string(200, 'a'), i));
  Index(rows, {});
  std::vector<std::string> globs;
  for (int i = 0; i < 300; ++i)
    globs.push_back("*a*a?a*" + std::string(static_cast<std::size_t>(i) % 50, '?') + "[b-d]*");
  request_.rules.exclude = Globs(globs);
  deadline_ = Deadline(Clock::now() + std::chrono::milliseconds(2));
  All();
  EXPECT_TRUE(timed_out_);
}

// --- The property: on a tree that is as it was indexed, the stream from the
// catalog is the stream from a walk with the same index, entry by entry.

class RandomCatalog : public CatalogStreamTest {
 protected:
  void FillTree(Random& random) {
    static const std::vector<std::string> folders = {"a", "b", "a-b", ".h", "k.key", "e\u0301", "\u00E9", "\xFF"};
    static const std::vector<std::string> files = {"f", "f.c", ".hid", "s.pem", "g\u0301", "z"};
    for (std::size_t n = random.Below(40); n > 0; --n) {
      std::string path;
      for (std::size_t depth = random.Below(4); depth > 0; --depth) path += random.Pick(folders) + "/";
      path += random.Pick(files) + std::to_string(random.Below(3));
      tree_.Write(path, std::string(random.Below(130), 'x'));
      if (random.OneIn(8)) LinkTo(path);
    }
  }

  void LinkTo(const std::string& path) {
    std::error_code exists;
    std::filesystem::create_hard_link(tree_.Path(path), tree_.Path(path + "-linked"), exists);
  }

  void IndexTree(Random& random) {
    const testing::OpenRoot root(sandbox_, tree_.root());
    Walk walk(*root, {.rules = {.traversal = {.hidden = true, .no_ignore = true}}, .stat = true}, {});
    std::vector<CatalogRow> rows;
    std::vector<std::uint32_t> candidates;
    for (WalkEntry entry; walk.Next(entry);) {
      const auto doc = static_cast<std::uint32_t>(rows.size());
      if (entry.kind == WalkEntry::Kind::kDenied) {
        rows.push_back(Denied(entry.path + (entry.is_folder ? "/" : "")));
        continue;
      }
      rows.push_back(Row(entry.path, doc));
      rows.back().info = entry.info;
      rows.back().settled = !random.OneIn(6);
      if (random.OneIn(3)) candidates.push_back(doc);
    }
    Index(rows, candidates);
  }

  // Any folder of the tree that a search may name.
  std::string AnyFolder(Random& random) {
    std::vector<std::string> folders = {""};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree_.root())) {
      const std::string path = entry.path().string();
      if (entry.is_directory() && sandbox_.Admits(path, true)) folders.push_back(path.substr(tree_.root().size() + 1));
    }
    std::sort(folders.begin(), folders.end());  // the file system has an order of its own
    return random.Pick(folders);
  }

  void AnyRules(Random& random) {
    static const std::vector<std::string> globs = {"*.c*", "a",    "a/", "/a",      "f*",
                                                   "*0",   "*/*1", ".h", "**/b/**", "*.pem?"};
    request_.rules.traversal.hidden = random.OneIn(2);
    request_.rules.recursive = !random.OneIn(5);
    request_.rules.include = Globs(random.OneIn(3) ? std::vector<std::string>{random.Pick(globs), random.Pick(globs)}
                                                   : std::vector<std::string>());
    request_.rules.exclude =
        Globs(random.OneIn(3) ? std::vector<std::string>{random.Pick(globs)} : std::vector<std::string>());
    if (random.OneIn(5)) use_.test = nullptr;
  }
};

TEST_F(RandomCatalog, GivesWhatAWalkGives) {
  const std::uint64_t first = testing::FirstSeed();
  std::size_t excluded = 0;
  for (std::uint64_t seed = first; seed < first + testing::CaseCount(15); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    for (const auto& entry : std::filesystem::directory_iterator(tree_.root())) {
      std::filesystem::remove_all(entry.path());
    }
    FillTree(random);
    IndexTree(random);
    const IndexUse whole = use_;
    for (int i = 0; i < 20; ++i) {
      use_ = whole;
      use_.prefix = AnyFolder(random);
      AnyRules(random);
      const auto walked = All([](const SearchRoot& root, const CheckedRequest& request, const IndexUse& use,
                                 const Deadline& deadline) { return StreamFromWalk(root, request, use, deadline); });
      ASSERT_EQ(All(StreamFromCatalog), walked) << "below " << use_.prefix;
      excluded += static_cast<std::size_t>(
          std::count_if(walked.begin(), walked.end(), [](const std::string& entry) { return entry[0] == '+'; }));
    }
  }
  EXPECT_GT(excluded, 50U) << "the index was hardly ever used";
}

}  // namespace
}  // namespace forge
