#include "llm/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::llm {
namespace {

TEST(Url, HttpsAnywhereAndHttpOnThisMachineOnly) {
  const struct {
    const char* url;
    bool allowed;
  } rows[] = {
      {"https://api.openai.com/v1", true},
      {"https://example.com:8443/x?y#z", true},
      {"http://localhost:11434/v1", true},
      {"http://127.0.0.1:8080", true},
      {"http://127.1.2.3/", true},
      {"http://[::1]:8080/v1", true},
      {"http://example.com/v1", false},
      {"http://localhost.example.com/", false},
      {"http://127.0.0.1.example.com/", false},
      {"http://127.example.com/", false},
      {"http://localhost@example.com/", false},
      {"http://localhost\\@example.com/", false},
      {"http://example.com#@localhost/", false},
      {"http://[::2]/", false},
      {"http://0.0.0.0/", false},
      {"http://LOCALHOST/", false},
      {"https://user:secret@example.com/", false},
      {"https://", false},
      {"https:///v1", false},
      {"https://exa mple.com/", false},
      {"https://example.com/\r\nX: y", false},
      {"ftp://example.com/", false},
      {"file:///etc/passwd", false},
      {"example.com", false},
      {"", false},
  };
  for (const auto& row : rows) EXPECT_EQ(CheckUrl(row.url).ok(), row.allowed) << row.url;
}

TEST(Url, ARefusalDoesNotShowThePassword) {
  for (const char* url : {"https://user:secret@example.com/", "user:secret@example.com",
                          "ftp://user:secret@x/?k=secret", "http://example.com/v1?key=secret"}) {
    EXPECT_THAT(CheckUrl(url).error().message, ::testing::Not(::testing::HasSubstr("secret"))) << url;
  }
}

TEST(Url, TheHostIsWhatTheConnectionGoesTo) {
  EXPECT_EQ(HostOf("https://api.openai.com:443/v1"), "api.openai.com");
  EXPECT_EQ(HostOf("http://[::1]:8080/v1"), "[::1]");
  EXPECT_EQ(HostOf("nonsense"), "");
}

}  // namespace
}  // namespace forge::llm
