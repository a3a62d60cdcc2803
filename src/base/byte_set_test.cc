#include "base/byte_set.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

ByteSet Range(unsigned char first, unsigned char last) {
  ByteSet set;
  set.AddRange(first, last);
  return set;
}

TEST(ByteSet, HasWhatWasAdded) {
  for (const unsigned first : {0U, 1U, 63U, 64U, 100U, 255U}) {
    for (const unsigned last : {0U, 63U, 64U, 127U, 130U, 254U, 255U}) {
      const ByteSet set = Range(static_cast<unsigned char>(first), static_cast<unsigned char>(last));
      for (unsigned byte = 0; byte < 256; ++byte) {
        ASSERT_EQ(set.Has(static_cast<unsigned char>(byte)), first <= byte && byte <= last)
            << first << " to " << last << ": " << byte;
      }
    }
  }
}

TEST(ByteSet, IsComparedByItsMembers) {
  ByteSet both = Range('0', '9');
  both.Add(Range(0x80, 0xFF));
  EXPECT_TRUE(both.Includes(Range('3', '5')));
  EXPECT_TRUE(both.Includes(Range(0xF0, 0xFF)));
  EXPECT_TRUE(both.Includes(ByteSet()));
  EXPECT_FALSE(both.Includes(Range('9', ':')));
  EXPECT_FALSE(Range('0', '9').Includes(both));
  both.Invert();
  both.Invert();
  both.Remove(0x80);
  ByteSet other = Range('0', '9');
  other.AddRange(0x81, 0xFF);
  EXPECT_EQ(both, other);
  EXPECT_NE(both, Range('0', '9'));
}

}  // namespace
}  // namespace forge
