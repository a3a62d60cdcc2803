#include "index/postings/postings_segment.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <thread>

#include "index/format/damage.h"
#include "index/grams/inverter.h"
#include "index/grams/trigram_extractor.h"
#include "index/postings/block_split.h"
#include "index/postings/dictionary.h"
#include "index/postings/plan_eval.h"
#include "index/segment/segment.h"

namespace forge::index {
namespace {

using Kind = NgramPlan::Kind;
using Docs = std::vector<std::uint32_t>;

std::string Fold(std::string text) {
  for (char& c : text) c = FoldByte(c);
  return text;
}

NgramPlan Gram(std::string gram) { return {Kind::kGram, Fold(std::move(gram)), {}}; }

NgramPlan Sets(const std::array<std::string, 3>& members) {
  NgramPlan plan{Kind::kSets, "", {}};
  for (const std::string& some : members) {
    ByteSet set;
    for (const char c : Fold(some)) set.Add(static_cast<unsigned char>(c));
    set.Remove('\n');
    plan.sets.push_back(set);
  }
  return plan;
}

NgramPlan PlanFor(const std::string& literal) {
  const std::size_t size = std::min<std::size_t>(literal.size(), 3);
  if (size < 2) return {};
  NgramPlan plan{Kind::kAnd, "", {}};
  for (std::size_t i = 0; i + size <= literal.size(); ++i) plan.parts.push_back(Gram(literal.substr(i, size)));
  return plan;
}

// What a plan means for a block, in simple code: a gram occurs in one of its
// lines.
bool HoldsNaively(const NgramPlan& plan, const std::string& folded_block) {
  const auto holds = [&](const NgramPlan& part) { return HoldsNaively(part, folded_block); };
  switch (plan.kind) {
    case Kind::kAll: return true;
    case Kind::kNone: return false;
    case Kind::kGram:
      return plan.gram.find('\n') == std::string::npos && folded_block.find(plan.gram) != std::string::npos;
    case Kind::kSets:
      for (std::size_t i = 0; i + 2 < folded_block.size(); ++i) {
        const auto has = [&](std::size_t n) {
          return plan.sets[n].Has(static_cast<unsigned char>(folded_block[i + n]));
        };
        if (has(0) && has(1) && has(2)) return true;
      }
      return false;
    case Kind::kAnd: return std::all_of(plan.parts.begin(), plan.parts.end(), holds);
    case Kind::kOr: return std::any_of(plan.parts.begin(), plan.parts.end(), holds);
  }
  return true;
}

std::string ImageOf(const std::vector<std::string>& files) {
  const auto builder = MakePostingsBuilder();
  for (const std::string& file : files) builder->Add(file);
  return builder->Finish();
}

std::shared_ptr<const Segment> Open(std::string image) { return *OpenPostings(InMemory(std::move(image))); }

Docs Members(const DocSet& set) {
  Docs out;
  for (std::uint32_t doc = set.Next(0); doc < set.size(); doc = set.Next(doc + 1)) out.push_back(doc);
  return out;
}

Docs Ask(const Segment& segment, const NgramPlan& plan) {
  const auto set = segment.Candidates({plan, {}, false});
  EXPECT_TRUE(set.ok());
  return set ? Members(*set) : Docs{};
}

// The folded text of every document.
std::vector<std::string> DocTexts(const std::vector<std::string>& files) {
  std::vector<std::string> out;
  for (const std::string& file : files) {
    std::vector<Block> blocks;
    SplitIntoBlocks(file, blocks);
    for (const Block& block : blocks) out.push_back(Fold(file.substr(block.offset, block.size)));
  }
  return out;
}

Docs AskNaively(const std::vector<std::string>& texts, const NgramPlan& plan) {
  Docs out;
  for (std::uint32_t doc = 0; doc < texts.size(); ++doc) {
    if (HoldsNaively(plan, texts[doc])) out.push_back(doc);
  }
  return out;
}

std::string GenPiece() {
  return *rc::gen::element<std::string>("ab", "AB", "b", "\n", "\r\n", "\n\n", "_", "\0x", "\xFF\xFE", "\u00E9", "ba",
                                        "c", " ", std::string(1, '\0'));
}

std::string GenFile() {
  std::string text;
  const int pieces = *rc::gen::element(0, 1, 2, 5, 30);
  for (int i = 0; i < pieces; ++i) text += GenPiece();
  if (*rc::gen::inRange(0, 20) == 0) text = std::string(20'000, 'q') + text + std::string(20'000, 'b') + text;
  if (*rc::gen::inRange(0, 20) == 0 && !text.empty()) {
    while (text.size() < 50'000) text += text + "\n";
  }
  return text;
}

std::vector<std::string> GenFiles() {
  std::vector<std::string> files(*rc::gen::inRange<std::size_t>(0, 20));
  for (std::string& file : files) file = GenFile();
  return files;
}

NgramPlan GenPlan(int depth) {
  const int kind = *rc::gen::inRange(0, depth == 0 ? 8 : 12);
  if (kind == 0) return {Kind::kAll, "", {}};
  if (kind == 1) return {Kind::kNone, "", {}};
  if (kind < 4) {
    const auto members = [] {
      std::string out = GenPiece();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) out += GenPiece();
      return out;
    };
    return Sets({members(), members(), members()});
  }
  if (kind < 8) {
    std::string gram = GenPiece() + GenPiece() + GenPiece();
    gram.resize(*rc::gen::inRange<std::size_t>(2, 4), 'b');
    return Gram(gram);
  }
  NgramPlan plan{kind < 10 ? Kind::kAnd : Kind::kOr, "", {}};
  for (int i = *rc::gen::inRange(2, 5); i > 0; --i) plan.parts.push_back(GenPlan(depth - 1));
  return plan;
}

// An AND and sets may return more documents than those for which they hold.
bool MayBeInexact(const NgramPlan& plan) {
  return plan.kind == Kind::kAnd || plan.kind == Kind::kSets ||
         std::any_of(plan.parts.begin(), plan.parts.end(), MayBeInexact);
}

TEST(PostingsSegmentProperty, CandidatesAreTheBlocksWhereThePlanHolds) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::string> files = GenFiles();
    const auto segment = Open(ImageOf(files));
    const std::vector<std::string> texts = DocTexts(files);
    RC_ASSERT(segment->doc_count() == texts.size());
    for (int i = 0; i < 20; ++i) {
      const NgramPlan plan = GenPlan(2);
      const Docs expected = AskNaively(texts, plan);
      const Docs got = Ask(*segment, plan);
      RC_ASSERT(std::includes(got.begin(), got.end(), expected.begin(), expected.end()));
      if (!MayBeInexact(plan)) RC_ASSERT(got == expected);
    }
  }));
}

// They are exact, too, if they take no shortcuts.
TEST(PostingsSegmentProperty, AnAndAndSetsWithoutShortcutsAreExact) {
  EXPECT_TRUE(rc::check([] {
    std::vector<std::string> files = GenFiles();
    const std::vector<std::string> texts = DocTexts(files);
    const auto docs = static_cast<std::uint32_t>(texts.size());
    TrigramExtractor extractor;
    Inverter inverter;
    for (std::uint32_t doc = 0; doc < docs; ++doc) inverter.Add(doc, extractor.Extract(texts[doc]));
    DictionaryWriter writer(docs);
    std::string lists;
    inverter.Drain([&](std::uint32_t key, std::string_view gaps) { writer.Add(key, gaps, lists); });
    const auto dictionary = Dictionary::Read(writer.bytes(), writer.keys(), docs, lists.size());
    RC_ASSERT(dictionary.ok());
    const CheckedPostings postings(InMemory(lists), 0, lists.size(), StripeChecksums(lists));
    for (int i = 0; i < 20; ++i) {
      const NgramPlan plan = GenPlan(3);
      constexpr AndLimits kNone{.few_docs = 0,
                                .idle_lists = UINT32_MAX,
                                .common_percent = UINT32_MAX,
                                .set_postings = UINT32_MAX,
                                .all_postings = UINT32_MAX};
      const auto answer = EvaluatePlan(plan, *dictionary, postings, docs, kNone);
      RC_ASSERT(answer.ok());
      RC_ASSERT(Members(answer->docs) == AskNaively(texts, plan));
    }
  }));
}

// Plans come again, beside others: some answers are known by then, some are not any more.
TEST(PostingsSegmentProperty, APlanHasTheSameAnswerEachTime) {
  EXPECT_TRUE(rc::check([] {
    const std::string image = ImageOf(GenFiles());
    const auto segment = Open(image);
    std::vector<NgramPlan> plans;
    for (int i = 0; i < 12; ++i) plans.push_back(GenPlan(2));
    for (int i = 0; i < 60; ++i) {
      const NgramPlan& plan = plans[*rc::gen::inRange<std::size_t>(0, plans.size())];
      RC_ASSERT(Ask(*segment, plan) == Ask(*Open(image), plan));
    }
  }));
}

TEST(PostingsSegmentProperty, ABlockWithTheTextIsACandidate) {
  EXPECT_TRUE(rc::check([] {
    std::vector<std::string> files = GenFiles();
    files.push_back("some Text with\r\nlines");
    const std::vector<std::string> texts = DocTexts(files);
    const auto segment = Open(ImageOf(files));
    for (int i = 0; i < 20; ++i) {
      const auto doc = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(texts.size()));
      const auto at = *rc::gen::inRange<std::size_t>(0, texts[doc].size());
      std::string part = texts[doc].substr(at, *rc::gen::inRange<std::size_t>(1, 12));
      part = part.substr(0, part.find('\n'));
      const Docs got = Ask(*segment, PlanFor(part));
      RC_ASSERT(std::binary_search(got.begin(), got.end(), doc));
    }
  }));
}

TEST(PostingsSegment, KnowsItsBlocks) {
  std::string large;
  for (int i = 0; i < 2000; ++i) large += "line " + std::to_string(i) + " of a file of many blocks\n";
  const auto builder = MakePostingsBuilder();
  EXPECT_EQ(builder->Add("").count, 0U);
  EXPECT_EQ(builder->Add("x").count, 1U);
  const DocRange range = builder->Add(large);
  EXPECT_EQ(range.first, 1U);
  EXPECT_GT(range.count, 3U);
  const auto segment = Open(builder->Finish());
  EXPECT_EQ(builder->docs(), 0U);
  EXPECT_EQ(segment->structure(), TokenStructure::kPostings);

  const std::span<const Block> blocks = segment->Blocks(range.first, range.count);
  ASSERT_EQ(blocks.size(), range.count);
  for (const Block& block : blocks) {
    EXPECT_TRUE(large.substr(block.offset).starts_with("line " + std::to_string(block.first_line - 1) + " "));
  }
  EXPECT_EQ(blocks.back().offset + blocks.back().size, large.size());
  EXPECT_EQ(segment->Blocks(0, 1)[0].size, 1U);
  EXPECT_FALSE(segment->Blocks(0, 1)[0].has_nul);
  EXPECT_TRUE(segment->Blocks(1'000'000, 1).empty());
}

TEST(PostingsSegment, OfNothing) {
  const auto segment = Open(ImageOf({}));
  EXPECT_EQ(segment->doc_count(), 0U);
  EXPECT_TRUE(Ask(*segment, {}).empty());
  EXPECT_TRUE(Ask(*segment, Gram("abc")).empty());
  EXPECT_TRUE(segment->Verify().ok());
}

TEST(PostingsSegment, TwoBuildsGiveTheSameBytes) {
  const auto builder = MakePostingsBuilder();
  const std::vector<std::string> files = {"abc\ndef", "ABC\xFF", "x", "", std::string(40'000, 'z')};
  const auto build = [&] {
    for (const std::string& file : files) builder->Add(file);
    return builder->Finish();
  };
  const std::string first = build();
  EXPECT_EQ(first, build());
  EXPECT_EQ(first, ImageOf(files));
}

// Few trigrams with long lists, many with short ones, all codings.
std::vector<std::string> DamageFiles() {
  std::vector<std::string> files;
  for (int i = 0; i < 200; ++i) {
    std::string text = "common\n";
    if (i % 2 == 0) text += "half\n";
    if (i % 9 == 0) text += "ninth\n";
    if (i < 5) text += "first\n";
    if (i == 77) text += "single\n";
    files.push_back(text);
  }
  return files;
}

// A damaged image gives an error or the right answer, never another one.
void ExpectErrorOrTruth(const std::string& image, const Segment& truth) {
  const auto segment = OpenPostings(InMemory(image));
  if (!segment) {
    EXPECT_EQ(segment.error().code, ErrorCode::kDamaged) << segment.error().message;
    return;
  }
  EXPECT_FALSE((*segment)->Verify().ok());
  std::vector<NgramPlan> plans = {Sets({"cnfs", "io", "mnr"}), Sets({"h", "a", "l"})};
  for (const char* gram : {"com", "hal", "nin", "fir", "sin", "ha", "zzz"}) plans.push_back(Gram(gram));
  for (const NgramPlan& plan : plans) {
    const auto set = (*segment)->Candidates({plan, {}, false});
    if (set) {
      EXPECT_EQ(Members(*set), Ask(truth, plan));
    } else {
      EXPECT_EQ(set.error().code, ErrorCode::kDamaged);
    }
  }
}

TEST(PostingsSegmentDamage, OfAnyByteIsNoticed) {
  const std::string image = ImageOf(DamageFiles());
  const auto truth = Open(image);
  EXPECT_TRUE(truth->Verify().ok());
  EXPECT_EQ(Ask(*truth, Gram("sin")), Docs{77});
  for (std::size_t i = 0; i < image.size(); ++i) {
    for (const int flip : {1, 0x80, 0xFF}) {
      std::string damaged = image;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      ExpectErrorOrTruth(damaged, *truth);
    }
  }
}

TEST(PostingsSegmentDamage, OfTheLengthIsNoticed) {
  const std::string image = ImageOf(DamageFiles());
  for (std::size_t size = 0; size < image.size(); ++size) {
    const auto segment = OpenPostings(InMemory(image.substr(0, size)));
    ASSERT_FALSE(segment.ok()) << size;
    EXPECT_EQ(segment.error().code, ErrorCode::kDamaged);
  }
  EXPECT_FALSE(OpenPostings(InMemory(image + '\0')).ok());
}

TEST(PostingsSegment, SetsAreTheUnionOfTheirGrams) {
  const auto segment = Open(ImageOf(DamageFiles()));
  const struct {
    NgramPlan plan;
    std::size_t docs;
  } cases[] = {
      {Sets({"h", "a", "l"}), 100},    {Sets({"hqz", "a", "lm"}), 100},
      {Sets({"HN", "AI", "LN"}), 111},  // half or ninth
      {Sets({"fs", "i", "rn"}), 6},     // first or single
      {Sets({"q", "abc", "abc"}), 0},  {Sets({"c", "o", "m"}), 200},
  };
  for (const auto& c : cases) EXPECT_EQ(Ask(*segment, c.plan).size(), c.docs) << ToString(c.plan);
  const NgramPlan both{Kind::kAnd, "", {Sets({"h", "a", "lm"}), Sets({"nm", "i", "n"})}};
  EXPECT_EQ(Ask(*segment, both).size(), 12U);
}

// The lists of such sets would cost more than they save.
TEST(PostingsSegment, SetsThatAreTooCommonSayNothing) {
  std::vector<std::string> files;
  for (int i = 0; i < 100; ++i) files.push_back(i < 50 ? "abcdefghijklmnopqrstuvwxyz" : "12 ab-23");
  const auto segment = Open(ImageOf(files));
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(Ask(*segment, Sets({letters.substr(0, 12), letters, letters})).size(), 50U);
  EXPECT_EQ(Ask(*segment, Sets({letters.substr(0, 13), letters, letters})).size(), 100U);
  EXPECT_EQ(Ask(*segment, Sets({letters, letters, letters})).size(), 100U);
  const NgramPlan wide = Sets({letters, letters, letters});
  const NgramPlan rare = Sets({"12", "23", "x "});
  EXPECT_EQ(Ask(*segment, rare).size(), 50U);
  EXPECT_EQ(Ask(*segment, {Kind::kAnd, "", {wide, rare}}).size(), 50U);
  EXPECT_EQ(Ask(*segment, {Kind::kOr, "", {wide, rare}}).size(), 100U);
}

TEST(PostingsSegment, AnswersManyThreads) {
  const auto segment = Open(ImageOf(DamageFiles()));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&segment] {
      for (const char* other : {"com", "omm", "mon", "fir", "irs", "rst", "sin", "gle", "alf"}) {
        EXPECT_EQ(Ask(*segment, Gram("hal")).size(), 100U);
        EXPECT_EQ(Ask(*segment, Gram("ni")).size(), 23U);
        EXPECT_FALSE(Ask(*segment, Gram(other)).empty());  // and the oldest answers go
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(PostingsBuilder, HasLimits) {
  const auto builder = MakePostingsBuilder();
  EXPECT_TRUE(builder->Fits(std::uint64_t{1} << 40U));
  EXPECT_EQ(builder->Add("text").count, 1U);
  EXPECT_TRUE(builder->Fits(1'000'000));
  EXPECT_FALSE(builder->Fits(std::uint64_t{1} << 40U));
  EXPECT_GT(builder->memory(), 0U);
}

}  // namespace
}  // namespace forge::index
