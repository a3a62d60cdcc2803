#include "index/snapshot/key.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace forge::index {
namespace {

IndexKey Plain() {
  return {.root = "/src", .backend_id = "native", .token_structure = "postings", .tokenizer_id = "trigram-fold-16k-v1"};
}

TEST(IndexKey, TheHashIsThatOfSortedCompactJson) {
  EXPECT_EQ(ToJson(Plain()),
            R"({"backend_id":"native","casefold":"ASCII","follow":false,"hidden":false,"no_ignore":false,)"
            R"("normalization":"NONE","root":"/src","schema_version":1,"token_structure":"postings",)"
            R"("tokenizer_id":"trigram-fold-16k-v1"})");
  EXPECT_EQ(HashOf(Plain()), "2137cc5d8b995c832c7d08244f17f1fac1b7bb73548d5650104d6caa99d16be4");
}

TEST(IndexKey, AnyBytesMayBeInARoot) {
  IndexKey key = Plain();
  key.hidden = true;
  key.root = "/a \"b\"\\\n\xC3\xA9\xFF";
  EXPECT_EQ(HashOf(key), "c44cba0bb5d829c76085ba71c01abd72fd9939a21f2347960b9f7b8dba99008a");

  std::set<std::string> hashes;
  const std::string roots[] = {"/\xE2\x82", "/\xE2", "/\x82\xE2", "/\xEF\xBF\xBD", "/\\udce2", "/\xE2\x82\xAC"};
  for (const std::string& root : roots) {
    key.root = root;
    hashes.insert(HashOf(key));
  }
  EXPECT_EQ(hashes.size(), std::size(roots));
}

TEST(IndexKey, AMismatchIsNamed) {
  const struct {
    const char* name;
    std::function<void(IndexKey&)> change;
  } cases[] = {
      {"", [](IndexKey&) {}},
      {"root", [](IndexKey& k) { k.root = "/other"; }},
      {"hidden", [](IndexKey& k) { k.hidden = true; }},
      {"follow", [](IndexKey& k) { k.follow = true; }},
      {"no_ignore", [](IndexKey& k) { k.no_ignore = true; }},
      {"backend_id", [](IndexKey& k) { k.backend_id = "ugrep@3.11.2"; }},
      {"token_structure", [](IndexKey& k) { k.token_structure = "bloom"; }},
      {"tokenizer_id", [](IndexKey& k) { k.tokenizer_id = "v2"; }},
      {"casefold", [](IndexKey& k) { k.casefold = "UNICODE_SIMPLE"; }},
      {"normalization", [](IndexKey& k) { k.normalization = "NFC"; }},
      {"schema_version", [](IndexKey& k) { ++k.schema_version; }},
      {"hidden, tokenizer_id",
       [](IndexKey& k) {
         k.tokenizer_id = "v2";
         k.hidden = true;
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
