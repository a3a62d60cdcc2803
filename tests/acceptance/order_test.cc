// The order of files (Appendix A, C17, D1, D2, D9) and difficult names: every
// backend must return every name, in its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

std::vector<std::string> FilesOf(const std::vector<std::string>& names, const std::string& fields = "") {
  TempTree tree;
  for (const std::string& name : names) tree.Write(name, "foo\nx\nfoo\n");
  return Search(tree, Ask("foo", fields)).files();
}

TEST(Order, IsBytewiseAndNotByComponent) {
  EXPECT_THAT(FilesOf({"a/b", "a-b", "a+", "a.b/c", "a0", "a b", "A", "_", "~"}),
              ElementsAre("A", "_", "a b", "a+", "a-b", "a.b/c", "a/b", "a0", "~"));
}

TEST(Order, AShorterPathSortsBeforeItsExtension) {
  EXPECT_THAT(FilesOf({"ab", "a", "abc", "ab!"}), ElementsAre("a", "ab", "ab!", "abc"));
}

TEST(Order, TwinsInNfcAndNfdKeepTheirLinesTogether) {  // D1: raw bytes break the tie
  const std::string nfc = "caf\u00e9";
  const std::string nfd = "cafe\u0301";
  TempTree tree;
  tree.Write(nfc, "foo 1\nfoo 2\n");
  tree.Write(nfd, "foo 1\nfoo 2\n");
  tree.Write("cafez", "foo\n");
  tree.Write("cafa", "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(),
              ElementsAre("cafa:1:1:foo|foo", "cafez:1:1:foo|foo", nfd + ":1:1:foo 1|foo", nfd + ":2:1:foo 2|foo",
                          nfc + ":1:1:foo 1|foo", nfc + ":2:1:foo 2|foo"));
}

TEST(Order, UsesTheComposedKeyForDecomposedNames) {
  // By raw bytes "e\u0301" (65 ..) would come before "f"; its key is C3 A9,
  // after "f".
  EXPECT_THAT(FilesOf({"e\u0301", "f", "\u00ea"}), ElementsAre("f", "e\u0301", "\u00ea"));
}

TEST(Order, UsesTheLossyKeyForNamesThatAreNotUtf8) {
  // The key of "\xff" is EF BF BD; "\xf0\x9f\x98\x80" has a larger key and smaller bytes.
  TempTree tree;
  tree.Write("\xff", "foo ff\n");
  tree.Write("\xfe", "foo fe\n");
  tree.Write("\U0001F600", "foo smile\n");
  tree.Write("z", "foo z\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(), ElementsAre("z:1:1:foo z|foo", "\uFFFD:1:1:foo fe|foo",
                                                             "\uFFFD:1:1:foo ff|foo", "\U0001F600:1:1:foo smile|foo"));
}

TEST(Order, HardNamesComeBackAsTheyAre) {
  const std::vector<std::string> names = {
      "\tt", "\nn",    " lead", "!bang",  "\"q\"",   "#hash",  "$HOME",  "%s",     "'s'",   "(p)", "*star",
      "+",   "-",      "--",    "--help", "-e",      "-x",     ":1:2:",  ";ls",    "=eq",   "?q",  "@at",
      "[b]", "\\back", "a\nb",  "a\rb",   "a:1:1:x", "back\\", "com,ma", "trail ", "{a,b}", "|p",  "~",
  };
  EXPECT_THAT(FilesOf(names), ElementsAreArray(names));
  for (const std::string& name : names) {
    TempTree tree;
    tree.Write(name, "foo\n");
    tree.Write("other", "foo\n");
    const Answer answer = SearchWith("native", tree, Ask("foo", "\"path\":" + Quoted(name)));
    EXPECT_THAT(answer.files(), ElementsAre(name));
  }
}

TEST(Order, HardNamesAreSearchedAloneByEveryBackend) {
  for (const char* name : {"-", "--help", "-e", "a\nb", "\"", "\\", "a:1:0:3", "*", "\x01"}) {
    EXPECT_THAT(FilesOf({name}), ElementsAre(name));
    EXPECT_THAT(FilesOf({std::string("d/") + name}), ElementsAre(std::string("d/") + name));
  }
}

TEST(Order, HardFolderNames) {
  EXPECT_THAT(FilesOf({"-/-", "-d/x", "a\nb/c", "d \"q\"/e\\f"}), ElementsAre("-/-", "-d/x", "a\nb/c", "d \"q\"/e\\f"));
}

TEST(Order, ANameThatLooksLikeARecordIsNotOne) {
  TempTree tree;
  tree.Write("x\":1:0:3\n\"b", "foo\n");
  tree.Write("b", "bar\n");
  tree.Write("{\"type\":\"match\"}", "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).files(), ElementsAre("x\":1:0:3\n\"b", "{\"type\":\"match\"}"));
}

TEST(Order, LongNamesAndDeepFolders) {
  const std::string name = Repeat(255, "n");
  const std::string deep = Repeat(60, "d/") + "f";
  EXPECT_THAT(FilesOf({name, deep}), ElementsAre(deep, name));
}

TEST(Order, ContentHasNoControlCharactersOfNames) {  // I4
  TempTree tree;
  tree.Write("a\x1b[31mb", "foo\n");
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_THAT(answer.files(), ElementsAre("a\x1b[31mb"));
  EXPECT_EQ(answer.content().find('\x1b'), std::string::npos);
}

TEST(Order, IsTheSameForAFolderAbsoluteAndRelative) {
  TempTree tree;
  for (const char* name : {"d/a/b", "d/a+", "d/B"}) tree.Write(name, "foo\n");
  const auto relative = Search(tree, Ask("foo", R"("path":"d")"));
  const auto absolute = Search(tree, Ask("foo", "\"path\":" + Quoted(tree.Path("d"))));
  EXPECT_EQ(relative.ended().out, absolute.ended().out);
  EXPECT_THAT(relative.files(), ElementsAre("d/B", "d/a+", "d/a/b"));
}

}  // namespace
}  // namespace forge::testing
