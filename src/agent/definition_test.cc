#include "agent/definition.h"

#include <gtest/gtest.h>

#include <string>

namespace forge::agent {
namespace {

// `|` marks where the match begins.
bool Looks(std::string line) {
  Event event;
  event.column = static_cast<std::uint64_t>(line.find('|')) + 1;
  event.line = line.erase(line.find('|'), 1);
  return LooksLikeDefinition(event);
}

TEST(Definition, IsSeenByTheWordsAroundAName) {
  for (const char* const line : {"class |Server {",
                                 "struct |Entry",
                                 "  enum class |Era { kLegacy };",
                                 "void Server::|Stop() {",
                                 "static int |parse(const char* text) {",
                                 "  std::string |Text(int a) const {",
                                 "def |main():",
                                 "    def |main(self, x):",
                                 "async def |main():",
                                 "#define |MAX 3",
                                 "func |Stop(s Server) {",
                                 "pub fn |run() -> Result<()> {",
                                 "export const |max = 3;",
                                 "|class ServerCache {",
                                 "export function |go(a) {",
                                 "inline constexpr int |kMost = 3;",
                                 "const |go = (a) => {",
                                 "interface |Shape {",
                                 "typedef struct shape |Shape;",
                                 "using |Shape = int;"}) {
    EXPECT_TRUE(Looks(line)) << line;
  }
}

TEST(Definition, AUseIsNone) {
  for (const char* const line :
       {"  |Stop();", "  server.|Stop();", "class |Server;", "  return |Stop() {", "  if (|Stop()) {", "import |os",
        "// class of |Server {", " * class |Server", "  x = |Stop(", "  for (const auto& |x : Stop()) {", "|Server",
        "  auto x = new |Server() {", "foo(|Bar() {", "from typing import |Any", "typedef |Shape Form;",
        "  const |std::vector<int>& x,", "using |forge::Shape;", ""}) {
    if (*line != '\0') {
      EXPECT_FALSE(Looks(line)) << line;
    }
  }
  EXPECT_FALSE(LooksLikeDefinition({}));
}

}  // namespace
}  // namespace forge::agent
