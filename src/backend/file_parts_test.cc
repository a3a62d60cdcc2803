// Large files of which the index knows the parts that may match.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "backend/file_scan.h"
#include "os/named_file.h"
#include "tests/testing/backend_world.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

constexpr std::size_t kLinesEach = 1000;  // of a part

std::string Show(const FileOutcome& outcome) {
  std::string out = outcome.error + (outcome.binary ? "binary" : "") + (outcome.capped ? "capped" : "") + " " +
                    std::to_string(outcome.matched_lines) + " of " + std::to_string(outcome.bytes);
  for (const Event& event : outcome.events) {
    out += "\n" + std::to_string(event.line_number) + ":" + std::to_string(event.column) + "@" +
           std::to_string(event.offset) + ":" + event.line;
  }
  return out;
}

// A text in parts of whole lines, each with about 20 KB.
struct Text {
  std::string bytes;
  std::vector<TextPart> parts;

  void Add(const std::string& last_line) {
    TextPart part{bytes.size(), 0, 1};
    if (!parts.empty()) part.first_line = parts.back().first_line + kLinesEach;
    for (std::size_t line = 1; line < kLinesEach; ++line) bytes += "some other text " + std::to_string(line) + "\n";
    bytes += last_line + "\n";
    part.end = bytes.size();
    parts.push_back(part);
  }
};

class FileParts : public ::testing::Test {
 protected:
  FileOutcome Scan(const Text& text, const std::vector<TextPart>& parts, Context context = 0) {
    world_.tree.Write(world_.paths[0], text.bytes);
    return ScanFile(parts, *os::StatPath(world_.tree.Path(world_.paths[0])), context);
  }
  FileOutcome ScanFile(const std::vector<TextPart>& parts, const os::FileInfo& vouched, Context context = 0) {
    Query query = world_.query();
    query.limits.context = context;
    const Deadline deadline;
    FileScanner scanner(query, *world_.root, deadline);
    FileItem item{1, world_.paths[0]};
    item.alone = true;
    item.vouched = &vouched;
    item.parts = parts;
    return scanner.ScanAll(item);
  }

  World world_{"needle", 1, ""};
};

// No index is that wrong; so the test sees which bytes were looked at.
TEST_F(FileParts, NoOtherPartIsRead) {
  for (const std::string mark : {"", "\xEF\xBB\xBF"}) {
    Text text{mark, {}};
    for (const char* line : {"needle 0", "nothing", "needle 2", "a needle 3", "nothing", "needle 5"}) text.Add(line);
    text.parts[0].begin = 0;
    const std::string found = Show(Scan(text, {text.parts[2], text.parts[5]}));
    const auto at = [&](std::size_t part, std::string_view line) {
      return std::to_string(text.parts[part].end - mark.size() - line.size() - 1);
    };
    EXPECT_EQ(found, " 2 of " + std::to_string(text.bytes.size()) + "\n3000:1@" + at(2, "needle 2") +
                         ":needle 2\n6000:1@" + at(5, "needle 5") + ":needle 5");
    EXPECT_EQ(Scan(text, {text.parts[0]}).events.size(), 1U);
  }
}

TEST_F(FileParts, AFileInAnotherStateIsReadWhole) {
  Text text;
  for (const char* line : {"needle 0", "nothing", "needle 2"}) text.Add(line);
  Scan(text, {});
  const std::string path = world_.tree.Path(world_.paths[0]);
  const os::FileInfo now = *os::StatPath(path);
  EXPECT_EQ(ScanFile({text.parts[2]}, now).events.size(), 1U);
  os::FileInfo before = now;
  before.mtime_ns -= 1;
  EXPECT_EQ(ScanFile({text.parts[2]}, before).events.size(), 2U);
  before = now;
  before.size += 100'000;
  const TextPart behind{text.parts[2].begin, before.size, text.parts[2].first_line};
  EXPECT_EQ(ScanFile({behind}, before).events.size(), 2U) << "it was cut short";
}

TEST_F(FileParts, APartThatIsNoneIsNotBelieved) {
  Text text;
  for (const char* line : {"needle 0", "nothing", "needle 2"}) text.Add(line);
  TextPart shifted = text.parts[2];
  shifted.begin += 5;
  EXPECT_EQ(Scan(text, {shifted}).events.size(), 2U);
}

TEST_F(FileParts, AnswersAreThoseOfTheWholeFile) {
  const std::uint64_t seed = testing::FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 60; ++round) {
    Text text{random() % 4 == 0 ? "\xEF\xBB\xBF" : "", {}};
    std::vector<TextPart> parts;
    for (std::size_t count = 2 + random() % 8; count > 0; --count) {
      const bool matches = random() % 3 == 0;
      text.Add(matches ? "one needle\r" : "one nail");
      if (text.parts.size() == 1) text.parts[0].begin = 0;
      if (matches || random() % 4 == 0) parts.push_back(text.parts.back());
    }
    if (random() % 3 == 0) {  // the last line has no end
      text.bytes.pop_back();
      if (!parts.empty() && parts.back().end > text.bytes.size()) --parts.back().end;
    }
    const Context context(random() % 2, random() % 2);
    const std::string whole = Show(Scan(text, {}, context));
    if (!parts.empty()) {
      ASSERT_EQ(Show(Scan(text, parts, context)), whole) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace forge
