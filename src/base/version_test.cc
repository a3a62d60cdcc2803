#include "forge/version.h"

#include <gtest/gtest.h>

#include <string>

namespace forge {
namespace {

// FORGE_PROJECT_VERSION is what the project() line of CMakeLists.txt says.
TEST(Version, IsThatOfTheProjectInEveryForm) {
  EXPECT_EQ(std::string_view(FORGE_VERSION), FORGE_PROJECT_VERSION);
  EXPECT_EQ(Version(), FORGE_PROJECT_VERSION);
  EXPECT_EQ(std::to_string(FORGE_VERSION_MAJOR) + "." + std::to_string(FORGE_VERSION_MINOR) + "." +
                std::to_string(FORGE_VERSION_PATCH),
            FORGE_PROJECT_VERSION);
}

}  // namespace
}  // namespace forge
