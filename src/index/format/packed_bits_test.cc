#include "index/format/packed_bits.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

namespace forge::index {
namespace {

std::string Bitset(const std::set<std::uint64_t>& places, std::uint64_t bits) {
  std::string bytes((bits + 7) / 8, '\0');
  for (const std::uint64_t p : places) {
    bytes[p / 8] = static_cast<char>(static_cast<unsigned char>(bytes[p / 8]) | 1U << p % 8);
  }
  return bytes;
}

TEST(PackedBits, AFilterOfASourceFileIsSmall) {
  std::set<std::uint64_t> places;
  for (std::uint64_t i = 0; i < 35'000; ++i) places.insert(i * 2'654'435'761 % 5'025'332);
  const std::string bitset = Bitset(places, 5'025'332);
  EXPECT_LT(PackBits(bitset, 5'025'332).size(), places.size() * 10 / 8);
  EXPECT_LE(PackBits(std::string(1000, '\xFF'), 8000).size(), 1001U);
  EXPECT_LE(PackBits(std::string(1000, '\0'), 8000).size(), 9U);
}

TEST(PackedBitsProperty, NothingIsLost) {
  EXPECT_TRUE(rc::check([] {
    const auto bits = *rc::gen::inRange<std::uint64_t>(1, 3000);
    const auto most = *rc::gen::element<std::size_t>(0, 1, 5, 50, 2000);
    std::set<std::uint64_t> places;
    for (std::size_t i = 0; i < most; ++i) places.insert(*rc::gen::inRange<std::uint64_t>(0, bits));
    const std::string bitset = Bitset(places, bits);
    const std::string packed = PackBits(bitset, bits);
    RC_ASSERT(packed.size() <= bitset.size() + 1);
    const auto view = PackedBits::Of(packed, bits);
    RC_ASSERT(view.has_value());
    RC_ASSERT(view->Unpacked() == bitset);
    for (std::uint64_t bit = 0; bit < bits + 70; ++bit) RC_ASSERT(view->Has(bit) == places.contains(bit));
  }));
}

// Readers check checksums first. But bytes that pass must not cause a read out
// of bounds.
TEST(PackedBitsProperty, AnyBytesAreSafeToLookInto) {
  EXPECT_TRUE(rc::check([] {
    const auto bits = *rc::gen::inRange<std::uint64_t>(1, 600);
    std::string packed = PackBits(Bitset({0, bits / 2, bits - 1}, bits), bits);
    const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(
        rc::gen::pair(rc::gen::inRange<std::size_t>(0, packed.size()), rc::gen::arbitrary<char>()));
    for (const auto& [at, value] : changes) packed[at] = value;
    const auto view = PackedBits::Of(packed, bits);
    if (!view) return;
    for (std::uint64_t bit = 0; bit < bits; ++bit) (void)view->Has(bit);
    RC_ASSERT(view->Unpacked().size() == (bits + 7) / 8);
  }));
}

TEST(PackedBits, AnotherSizeIsRefused) {
  const std::string packed = PackBits(Bitset({3, 700}, 5000), 5000);
  EXPECT_TRUE(PackedBits::Of(packed, 5000));
  EXPECT_FALSE(PackedBits::Of(packed, 500));
  EXPECT_FALSE(PackedBits::Of(packed + '\0', 5000));
  EXPECT_FALSE(PackedBits::Of(packed.substr(1), 5000));
  EXPECT_FALSE(PackedBits::Of("", 5000));
}

}  // namespace
}  // namespace forge::index
