#include "pattern/format.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

TEST(Format, NamesAreAsLongAsPossible) {
  const struct {
    const char* format;
    const char* expanded;
  } cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"$1", "<1>"},
      {"$1a", "<1a>"},
      {"${1}a", "<1>a"},
      {"$name!", "<name>!"},
      {"$$1", "$1"},
      {"$", "$"},
      {"a$", "a$"},
      {"${", "${"},
      {"${1", "${1"},
      {"$-", "$-"},
      {"x$1y${b}z", "x<1y><b>z"},
  };
  for (const auto& c : cases) {
    std::string kept;  // what the views point to
    EXPECT_EQ(ExpandFormat(c.format,
                           [&](std::string_view name) -> std::string_view {
                             kept = "<" + std::string(name) + ">";
                             return kept;
                           }),
              c.expanded)
        << c.format;
  }
}

TEST(Format, AGroupMayBeNamedByItsNumber) {
  EXPECT_EQ(AsNumber("12"), 12U);
  EXPECT_EQ(AsNumber("1a"), std::nullopt);
  EXPECT_EQ(AsNumber(""), std::nullopt);
}

}  // namespace
}  // namespace forge
