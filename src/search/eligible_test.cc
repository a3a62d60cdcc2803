#include "search/eligible.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string_view>

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A stream written as a word, one letter for each entry of the tree:
//
//   f file   x file that the index excludes   d denied   e error
//
// With `index`, an x is only counted, as a stream with an index does.
class WordStream final : public EligibleStream {
 public:
  WordStream(std::string_view word, bool index) : word_(word), index_(index) {}

  void Next(EligibleEntry& out) override {
    out.excluded = 0;
    for (; index_ && at_ < word_.size() && word_[at_] == 'x'; ++at_) ++out.excluded;
    out.end = at_ == word_.size();
    if (out.end) return;
    const char letter = word_[at_];
    out.entry = {.kind = KindOf(letter), .path = letter + std::to_string(at_), .error = letter == 'e' ? "bad" : ""};
    ++at_;
  }
  bool timed_out() const override { return false; }

 private:
  static WalkEntry::Kind KindOf(char letter) {
    if (letter == 'd') return WalkEntry::Kind::kDenied;
    return letter == 'e' ? WalkEntry::Kind::kError : WalkEntry::Kind::kFile;
  }

  std::string word_;
  bool index_;
  std::size_t at_ = 0;
};

EligibleFiles FilesOf(std::string_view word, std::uint64_t max_files = 1000, bool index = true) {
  return {std::make_unique<WordStream>(word, index), max_files};
}

// "2 denied, e1: bad"
std::string Printed(const Asides& asides) {
  std::string out = asides.denied > 0 ? std::to_string(asides.denied) + " denied" : "";
  for (const auto& failure : asides.failures) {
    out += (out.empty() ? "" : ", ") + failure.path + ": " + failure.error;
  }
  return out;
}

// "2 f3", or "2 f3 (1 denied)"
std::string Printed(const FileItem& item) {
  const std::string asides = Printed(item.asides);
  return std::to_string(item.position) + " " + item.path + (asides.empty() ? "" : " (" + asides + ")");
}

std::vector<std::string> All(EligibleFiles& files) {
  std::vector<std::string> out;
  for (FileItem item; files.Next(item);) out.push_back(Printed(item));
  return out;
}

TEST(EligibleFiles, AreNumberedFromOneAlsoThoseThatTheIndexExcludes) {
  EligibleFiles files = FilesOf("fxxfx");
  EXPECT_THAT(All(files), ElementsAre("1 f0", "4 f3"));
  EXPECT_EQ(files.count(), 5U);
  EXPECT_EQ(files.excluded(), 3U);
  EXPECT_FALSE(files.cut());
}

TEST(EligibleFiles, OnlyAFileBehindExcludedOnesIsAlone) {
  EligibleFiles files = FilesOf("fxff");
  std::vector<bool> alone;
  for (FileItem item; files.Next(item);) alone.push_back(item.alone);
  EXPECT_THAT(alone, ElementsAre(false, true, false));
}

TEST(EligibleFiles, MaxFilesCutsWhereThereIsOneMore) {
  const struct {
    const char* word;
    std::uint64_t count, excluded;
    bool cut;
  } cases[] = {
      {"fff", 3, 0, false},   // exactly as many
      {"ffff", 3, 0, true},   // one more
      {"fffd", 3, 0, false},  // what is no file does not count
      {"fffx", 3, 0, true},   // excluded ones do
      {"xxxx", 3, 3, true},    {"xxx", 3, 3, false}, {"ffxxxxxf", 3, 1, true},
      {"fffdeef", 3, 0, true}, {"", 0, 0, false},    {"de", 0, 0, false},
  };
  for (const auto& c : cases) {
    EligibleFiles files = FilesOf(c.word, 3);
    All(files);
    EXPECT_EQ(files.count(), c.count) << c.word;
    EXPECT_EQ(files.excluded(), c.excluded) << c.word;
    EXPECT_EQ(files.cut(), c.cut) << c.word;
  }
}

TEST(EligibleFiles, OnceCutThereIsNoOther) {
  EligibleFiles files = FilesOf("ffff", 2);
  EXPECT_EQ(All(files).size(), 2U);
  EXPECT_THAT(All(files), IsEmpty());
  EXPECT_TRUE(files.cut());
  EXPECT_EQ(files.count(), 2U);
}

TEST(EligibleFiles, WhatStandsBesideAFileTravelsWithTheNextOne) {
  EligibleFiles files = FilesOf("dfefddedx");
  EXPECT_THAT(All(files), ElementsAre("1 f1 (1 denied)", "2 f3 (e2: bad)"));
  EXPECT_EQ(Printed(files.TakeRest()), "3 denied, e6: bad");
  EXPECT_EQ(Printed(files.TakeRest()), "") << "it was taken";
}

TEST(EligibleFiles, WhatStandsBehindTheCutIsNotTold) {
  EligibleFiles files = FilesOf("ffdfde", 2);
  All(files);
  EXPECT_EQ(Printed(files.TakeRest()), "1 denied");
  EligibleFiles excluded = FilesOf("ffdxde", 2);
  All(excluded);
  EXPECT_EQ(Printed(excluded.TakeRest()), "1 denied") << "the same where the index excludes the file";
}

TEST(EligibleFiles, ANamedFileIsTheOnlyOne) {
  EligibleFiles one(std::optional<std::string>("a.c"));
  EXPECT_THAT(All(one), ElementsAre("1 a.c"));
  EXPECT_EQ(one.count(), 1U);
  EXPECT_FALSE(one.cut() || one.timed_out());
  EligibleFiles none(std::nullopt);
  EXPECT_THAT(All(none), IsEmpty());
  EXPECT_EQ(none.count(), 0U);
}

struct Seen {
  std::vector<std::string> files;  // those that the index does not exclude
  std::uint64_t count = 0;
  bool cut = false;
  std::uint64_t denied = 0;
  std::vector<std::string> failures;

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen SeenIn(const std::string& word, std::uint64_t max_files, bool index) {
  Seen seen;
  EligibleFiles files = FilesOf(word, max_files, index);
  const auto take = [&](const Asides& asides) {
    seen.denied += asides.denied;
    for (const auto& failure : asides.failures) seen.failures.push_back(failure.path);
  };
  for (FileItem item; files.Next(item);) {
    take(item.asides);
    if (item.path[0] == 'f') seen.files.push_back(std::to_string(item.position) + " " + item.path);
  }
  take(files.TakeRest());
  seen.count = files.count();
  seen.cut = files.cut();
  return seen;
}

// Promise 1, for the part that numbers files.
TEST(EligibleFiles, AnIndexChangesNoNumberAndNoAside) {
  EXPECT_TRUE(rc::check([] {
    const auto word = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("fxxde")));
    const auto max_files = *rc::gen::inRange<std::uint64_t>(1, 12);
    RC_ASSERT(SeenIn(word, max_files, true) == SeenIn(word, max_files, false));
  }));
}

}  // namespace
}  // namespace forge
