#include "index/snapshot/key.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace forge::index {
namespace {

IndexKey Plain() {
  return {.root = "/src", .backend_id = "native", .tokenizer_id = "trigram-fold-16k-v1", .implementation = "1.2.3"};
}

TEST(IndexKey, TheHashIsThatOfSortedCompactJson) {
  EXPECT_EQ(ToJson(Plain()),
            R"({"backend_id":"native","casefold":"ASCII","follow":false,"hidden":false,"implementation":"1.2.3",)"
            R"("no_ignore":false,"normalization":"NONE","root":"/src","schema_version":5,)"
            R"("token_structure":"postings",)"
            R"("tokenizer_id":"trigram-fold-16k-v1"})");
  EXPECT_EQ(HashOf(Plain()), "2bee433df9636b76480694048c9ce498d8d468e59168ddcf0e2438f3a81e0013");
}

TEST(IndexKey, AnyBytesMayBeInARoot) {
  IndexKey key = Plain();
  key.traversal.hidden = true;
  key.root = "/a \"b\"\\\n\xC3\xA9\xFF";
  EXPECT_EQ(HashOf(key), "3d72316fcb4b00b1c23c4ea4dc86d34b542cc779813ff56af645a950bcc6c50b");

  std::set<std::string> hashes;
  const std::string roots[] = {"/\xE2\x82", "/\xE2", "/\x82\xE2", "/\xEF\xBF\xBD", "/\\udce2", "/\xE2\x82\xAC"};
  for (const std::string& root : roots) {
    key.root = root;
    hashes.insert(HashOf(key));
  }
  EXPECT_EQ(hashes.size(), std::size(roots));
}

TEST(IndexKey, AnotherVersionOfTheProgramHasAnotherIndex) {
  IndexKey older;
  EXPECT_EQ(older.implementation, Version());
  older.implementation = "0.0.1";
  EXPECT_NE(HashOf(older), HashOf(IndexKey()));
}

TEST(IndexKey, AMismatchIsNamed) {
  const struct {
    const char* name;
    std::function<void(IndexKey&)> change;
  } cases[] = {
      {"", [](IndexKey&) {}},
      {"root", [](IndexKey& k) { k.root = "/other"; }},
      {"hidden", [](IndexKey& k) { k.traversal.hidden = true; }},
      {"follow", [](IndexKey& k) { k.traversal.follow = true; }},
      {"no_ignore", [](IndexKey& k) { k.traversal.no_ignore = true; }},
      {"backend_id", [](IndexKey& k) { k.backend_id = "ugrep@3.11.2"; }},
      {"token_structure", [](IndexKey& k) { k.token_structure = TokenStructure::kBloom; }},
      {"tokenizer_id", [](IndexKey& k) { k.tokenizer_id = "v2"; }},
      {"casefold", [](IndexKey& k) { k.casefold = Casefold::kUnicodeSimple; }},
      {"normalization", [](IndexKey& k) { k.normalization = Normalization::kNfc; }},
      {"implementation", [](IndexKey& k) { k.implementation = "1.2.4"; }},
      {"schema_version", [](IndexKey& k) { ++k.schema_version; }},
      {"hidden, tokenizer_id",
       [](IndexKey& k) {
         k.tokenizer_id = "v2";
         k.traversal.hidden = true;
       }},
  };
  for (const auto& c : cases) {
    IndexKey other = Plain();
    c.change(other);
    EXPECT_EQ(Mismatch(Plain(), other), c.name);
    EXPECT_EQ(HashOf(Plain()) == HashOf(other), std::string(c.name).empty()) << c.name;
  }
}

}  // namespace
}  // namespace forge::index
