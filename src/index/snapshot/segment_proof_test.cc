#include "index/snapshot/segment_proof.h"

#include <gtest/gtest.h>

#include "index/bloom/bloom_segment.h"
#include "index/postings/postings_segment.h"
#include "index/snapshot/open_segment.h"
#include "tests/testing/seed.h"

namespace forge::index {
namespace {

class SegmentProofTest : public ::testing::TestWithParam<TokenStructure> {
 protected:
  void Build(const std::vector<std::string>& texts) {
    const auto builder = GetParam() == TokenStructure::kBloom ? MakeBloomBuilder({}) : MakePostingsBuilder();
    docs_.clear();
    for (const std::string& text : texts) docs_.push_back(builder->Add(text));
    segment_ = *OpenSegment(InMemory(builder->Finish()));
  }

  // What the proof reports if the files have these texts.
  std::vector<std::string> Wrong(const std::vector<std::string>& texts) const {
    std::vector<std::string> wrong;
    const auto proof = ProofOf(*segment_);
    const SegmentProof::Report report = [&](std::uint32_t doc, std::string_view gram) {
      wrong.push_back(std::to_string(doc) + " " + std::string(gram));
    };
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (docs_[i].count == 0) continue;
      const auto fits = proof->Add(docs_[i], texts[i], report);
      EXPECT_TRUE(fits);
      if (!*fits) wrong.push_back("blocks of " + std::to_string(i));
    }
    EXPECT_TRUE(proof->Finish(report));
    return wrong;
  }

  static std::string RandomText(testing::Random& random, std::size_t size) {
    std::string text;
    while (text.size() < size) {
      text += random.OneIn(20) ? '\n' : random.OneIn(30) ? '\x01' : static_cast<char>('A' + random.Below(58));
    }
    return text;
  }

  std::shared_ptr<const Segment> segment_;
  std::vector<DocRange> docs_;
};

TEST_P(SegmentProofTest, WhatWasIndexedIsFound) {
  testing::Random random(testing::FirstSeed());
  const std::vector<std::string> texts = {
      "", "\n", "ab\ncd", "abc\n", "x", "\n\nABC\r\n\n", RandomText(random, 100'000), RandomText(random, 3)};
  Build(texts);
  EXPECT_EQ(Wrong(texts), std::vector<std::string>());
}

TEST_P(SegmentProofTest, AByteMoreOrOtherIsMissed) {
  testing::Random random(testing::FirstSeed());
  std::vector<std::string> texts = {"something else\n", RandomText(random, 40'000), "one more\n"};
  Build(texts);
  const std::string text = texts[1];
  for (int i = 0; i < 20; ++i) {
    texts[1] = text;
    // A place in a line with at least two bytes around it.
    std::size_t at = random.Below(text.size() - 2) + 1;
    while (text.substr(at - 1, 3).find('\n') != text.npos) at = random.Below(text.size() - 2) + 1;
    texts[1][at] = '\x02';
    EXPECT_NE(Wrong(texts), std::vector<std::string>()) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Structures, SegmentProofTest,
                         ::testing::Values(TokenStructure::kPostings, TokenStructure::kBloom),
                         [](const auto& structure) {
                           return structure.param == TokenStructure::kBloom ? "Bloom" : "Postings";
                         });

using PostingsProofTest = SegmentProofTest;
INSTANTIATE_TEST_SUITE_P(Postings, PostingsProofTest, ::testing::Values(TokenStructure::kPostings));

TEST_P(PostingsProofTest, BlocksMustBeThoseOfTheText) {
  const std::string line(99, 'x');
  std::string text;
  for (int i = 0; i < 1000; ++i) text += line + '\n';
  Build({text});
  ASSERT_GT(docs_[0].count, 1U);
  EXPECT_EQ(Wrong({text}), std::vector<std::string>());
  for (const std::string& other : {text + line, text.substr(1), 'y' + text, std::string()}) {
    EXPECT_EQ(Wrong({other}), std::vector<std::string>({"blocks of 0"})) << other.size();
  }
}

// A line of two bytes has no three bytes in a row, so two must count, too.
TEST_P(PostingsProofTest, TwoBytesAtTheEndOfALineCount) {
  Build({"ab\ncd\n"});
  EXPECT_EQ(Wrong({"ab\ncd\n"}), std::vector<std::string>());
  EXPECT_EQ(Wrong({"ab\nce\n"}), std::vector<std::string>({"0 ce"}));
}

}  // namespace
}  // namespace forge::index
