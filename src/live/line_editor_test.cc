#include "live/line_editor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace forge::live {
namespace {

using Type = Key::Type;

std::string After(const std::string& text, const std::vector<Key>& keys) {
  LineEditor editor(text);
  for (const Key& key : keys) editor.Take(key);
  std::string out = editor.text();
  return out.insert(std::min(editor.cursor(), out.size()), "|");
}

TEST(LiveLineEditor, TakesTheKeysOfAShell) {
  EXPECT_EQ(After("", {{Type::kCharacter, 'a'}, {Type::kCharacter, 'b'}}), "ab|");
  EXPECT_EQ(After("ab", {{Type::kLeft}, {Type::kCharacter, 'x'}}), "ax|b");
  EXPECT_EQ(After("ab", {{Type::kHome}, {Type::kDelete}}), "|b");
  EXPECT_EQ(After("ab", {{Type::kBackspace}, {Type::kBackspace}, {Type::kBackspace}}), "|");
  EXPECT_EQ(After("one two", {{Type::kControl, 'w'}}), "one |");
  EXPECT_EQ(After("one two ", {{Type::kControl, 'w'}, {Type::kControl, 'w'}}), "|");
  EXPECT_EQ(After("one two", {{Type::kControl, 'a'}, {Type::kControl, 'k'}}), "|");
  EXPECT_EQ(After("one", {{Type::kControl, 'b'}, {Type::kControl, 'u'}}), "|e");
  EXPECT_EQ(After("one", {{Type::kRight}, {Type::kEnd}, {Type::kCharacter, 7}}), "one|");
}

TEST(LiveLineEditor, LeavesOtherKeysToOthers) {
  LineEditor editor("x");
  EXPECT_FALSE(editor.Take({Type::kUp}));
  EXPECT_FALSE(editor.Take({Type::kControl, 'x'}));
}

}  // namespace
}  // namespace forge::live
