#include "forge/shared_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace forge {
namespace {

TEST(SharedTextTest, HoldsTheBytesThatItWasMadeOf) {
  std::string bytes("a\0b", 3);
  const SharedText text = bytes;
  bytes = "other";
  EXPECT_EQ(text, std::string_view("a\0b", 3));
  EXPECT_EQ(text.size(), 3U);
  EXPECT_TRUE(SharedText().empty());
  EXPECT_EQ(SharedText(), "");
  EXPECT_EQ(SharedText(""), SharedText());
}

TEST(SharedTextTest, ComparesAsText) {
  const SharedText a = "abc";
  EXPECT_EQ(a, SharedText("abc"));
  EXPECT_EQ(a, a);
  EXPECT_NE(a, "abd");
  EXPECT_NE(a, a.Part(0, 2)) << "the same memory, another length";
  EXPECT_LT(a, SharedText("abd"));
  EXPECT_LT(a.Part(0, 2), a);
  std::ostringstream printed;
  printed << a;
  EXPECT_EQ(printed.str(), "abc");
  EXPECT_EQ("<" + a + ">", "<abc>");
}

TEST(SharedTextTest, APartOutlivesTheWhole) {
  SharedText whole = "int foo;";
  const SharedText foo = whole.Part(4, 3);
  const char* const place = whole.data() + 4;
  whole = "";
  EXPECT_EQ(foo, "foo");
  EXPECT_EQ(foo.data(), place) << "no bytes were copied";
  EXPECT_EQ(foo.Part(1, 100), "oo");
  EXPECT_EQ(foo.Part(3, 1), "");
}

TEST(SharedTextTest, SeveralTextsShareOnePieceOfMemory) {
  auto bytes = std::make_shared<char[]>(6, 'x');  // NOLINT(modernize-avoid-c-arrays)
  std::weak_ptr<char[]> alive = bytes;            // NOLINT(modernize-avoid-c-arrays)
  const char* const begin = bytes.get();
  SharedText first(bytes, {begin, 2});
  SharedText second(std::move(bytes), {begin + 2, 4});
  first = {};
  EXPECT_EQ(second, "xxxx");
  EXPECT_FALSE(alive.expired());
  second = {};
  EXPECT_TRUE(alive.expired());
}

TEST(SharedTextTest, ThreadsMayCopyAndDropIt) {
  const SharedText text = std::string(1000, 'x');
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([part = text.Part(10, 20)] {
      for (int n = 0; n < 1000; ++n) ASSERT_EQ(SharedText(part).Part(1, 2), "xx");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace forge
