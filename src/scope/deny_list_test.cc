#include "scope/deny_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

DenyList Make(const SandboxConfig& config = {}) { return *DenyList::Create(config, {"/r"}); }

TEST(DenyList, TheDefaultsTakeKeysAndPasswordsInAnyCase) {
  const DenyList list = Make();
  for (const char* path : {"/r/id_rsa",
                           "/r/ID_RSA",
                           "/r/x/id_rsa.bak",
                           "/r/id_ed25519",
                           "/r/id_ecdsa",
                           "/r/id_dsa",
                           "/r/a.pem",
                           "/r/server.KEY",
                           "/r/a.p12",
                           "/r/a.PFX",
                           "/r/x.jks",
                           "/r/debug.keystore",
                           "/r/.env",
                           "/r/x/.env.local",
                           "/r/.ENV.production",
                           "/r/.netrc",
                           "/r/.git-credentials",
                           "/r/.pypirc",
                           "/r/.aws/credentials",
                           "/r/x/.kube/config",
                           "/r/.docker/config.json"}) {
    EXPECT_TRUE(list.Denies(path, false)) << path;
  }
  EXPECT_TRUE(list.Denies("/r/.ssh/known_hosts", false));
  EXPECT_TRUE(list.Denies("/r/.SSH/x", false));
}

// Denying too much hurts: these are ordinary files.
TEST(DenyList, TheDefaultsLeaveSourcesAlone) {
  const DenyList list = Make();
  for (const char* path :
       {"/r/.env.example", "/r/.env.sample", "/r/.env.template", "/r/.env.local.example", "/r/env.py", "/r/credentials",
        "/r/src/credentials/a.c", "/r/config", "/r/config.json", "/r/.npmrc", "/r/.envrc", "/r/key.c", "/r/keys/a.c",
        "/r/monkey", "/r/docker/config.json", "/r/rsa.c", "/r/.config/gh/config.yml", "/r/.environment"}) {
    EXPECT_FALSE(list.Denies(path, false)) << path;
  }
}

TEST(DenyList, AConfiguredPatternWinsOverWhatTheDefaultsAllow) {
  SandboxConfig config;
  config.denied_patterns = {".env.example", "*.SQL"};
  const DenyList list = Make(config);
  EXPECT_TRUE(list.Denies("/r/.env.example", false));
  EXPECT_TRUE(list.Denies("/r/a.SQL", false));
  EXPECT_FALSE(list.Denies("/r/a.sql", false)) << "configured patterns do not ignore case";
  config.include_default_denies = false;
  EXPECT_FALSE(Make(config).Denies("/r/id_rsa", false));
}

// The description is part of the key of an index: what denies other paths has
// another one (I6).
TEST(DenyList, TheDescriptionNamesEverything) {
  const std::string text = Make().description();
  for (const std::string_view pattern : DefaultDenies()) EXPECT_THAT(text, ::testing::HasSubstr(pattern));
  for (const std::string_view pattern : DefaultAllows()) EXPECT_THAT(text, ::testing::HasSubstr(pattern));
  SandboxConfig config;
  config.denied_patterns = {"x"};
  EXPECT_NE(Make(config).description(), text);
  config = {};
  config.include_default_denies = false;
  EXPECT_NE(Make(config).description(), text);
}

}  // namespace
}  // namespace forge
