#include "config/reference.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/keys.h"

namespace forge::config {
namespace {

TEST(ConfigReference, EachKeyIsInOneGroup) {
  std::vector<std::string> grouped;
  for (const KeyGroup& group : KeyGroups()) {
    for (const std::string_view key : group.keys) {
      grouped.push_back(key.find('.') == std::string_view::npos ? "tools.search." + std::string(key)
                                                                : std::string(key));
    }
  }
  std::vector<std::string> keys;
  for (const Key& key : Keys()) keys.push_back(key.FullName());
  std::sort(grouped.begin(), grouped.end());
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(grouped, keys);
}

}  // namespace
}  // namespace forge::config
