#include "base/secrets.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

constexpr const char* kKey = "sk-proj-a/b+c=0123456789abcdefghijkl";

TEST(Secrets, AKeyIsHiddenWhereverItStands) {
  const Secrets secrets(kKey);
  const std::string key = kKey;
  EXPECT_EQ(secrets.Hide(key), "(key)");
  EXPECT_EQ(secrets.Hide("a " + key + ", " + key + "."), "a (key), (key).");
  EXPECT_EQ(secrets.Hide(key + key), "(key)(key)");
  EXPECT_EQ(secrets.Hide("nothing of it"), "nothing of it");
  EXPECT_EQ(secrets.Hide(""), "");
}

TEST(Secrets, EveryBeginningAndEndOfAKeyIsHiddenDownToTwelveBytes) {
  const Secrets secrets(kKey);
  const std::string key = kKey;
  for (std::size_t size = 12; size <= key.size(); ++size) {
    EXPECT_EQ(secrets.Hide("x " + key.substr(0, size)), "x (key)") << size;
    EXPECT_EQ(secrets.Hide(key.substr(key.size() - size) + " x"), "(key) x") << size;
  }
  EXPECT_EQ(secrets.Hide(key.substr(0, 20) + "..." + key.substr(22)), "(key)...(key)");
  EXPECT_EQ(secrets.Hide("keys start with sk-proj-"), "keys start with sk-proj-");
}

TEST(Secrets, OtherSpellingsAreHidden) {
  const Secrets secrets(kKey);
  EXPECT_EQ(secrets.Hide("?k=sk-proj-a%2Fb%2Bc%3D0123456789abcdefghijkl&x"), "?k=(key)&x");
  EXPECT_EQ(secrets.Hide("?k=sk-proj-a%2fb%2bc%3d0123456789abcdefghijkl&x"), "?k=(key)&x");
  EXPECT_EQ(secrets.Hide("'sk-proj-a\\/b+c=0123456789abcdefghijkl'"), "'(key)'");
}

TEST(Secrets, AShortKeyIsHiddenAsAWordOnly) {
  EXPECT_EQ(Secrets("ollama").Hide("key ollama: src/ollama_client.c, ollamas, ollama"),
            "key (key): src/ollama_client.c, ollamas, (key)");
  EXPECT_EQ(Secrets("k").Hide("bad key k"), "bad key (key)");
  EXPECT_EQ(Secrets("sk-secret").Hide("xsk-secrety sk-secre"), "x(key)y sk-secre");
  EXPECT_EQ(Secrets("").Hide("a b"), "a b");
  EXPECT_EQ(Secrets().Hide("a b"), "a b");
}

TEST(Secrets, AUrlIsShownWithoutUserPasswordAndQuery) {
  const struct {
    const char* url;
    const char* shown;
  } rows[] = {
      {"https://host/v1", "https://host/v1"},
      {"https://user:pass@host:8/v1", "https://(not shown)@host:8/v1"},
      {"https://user@host", "https://(not shown)@host"},
      {"https://u:p/q@r@host/v1", "https://(not shown)@host/v1"},
      {"https://u:p?q@host/v1", "https://(not shown)?(not shown)"},
      {"user:pass@host/v1", "(not shown)@host/v1"},
      {"https://host/v1?key=abc", "https://host/v1?(not shown)"},
      {"", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(ShownUrl(row.url), row.shown) << row.url;
}

TEST(Secrets, UsersOfUrlsInATextAreHidden) {
  EXPECT_EQ(HideUrlUsers("bad proxy 'http://u:p@h:1', not https://h/a@b c@d"),
            "bad proxy 'http://(not shown)@h:1', not https://(not shown)@b c@d");
  EXPECT_EQ(HideUrlUsers("a://b c://d:e@f"), "a://b c://(not shown)@f");
  EXPECT_EQ(HideUrlUsers("nothing"), "nothing");
}

}  // namespace
}  // namespace forge
