#include "index/postings/posting_list.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "index/format/byte_io.h"
#include "index/segment/segment.h"

namespace forge::index {
namespace {

using Docs = std::vector<std::uint32_t>;

std::string Gaps(const Docs& docs) {
  std::string out;
  std::uint32_t next = 0;
  for (const std::uint32_t doc : docs) {
    PutVarint(out, doc - next);
    next = doc + 1;
  }
  return out;
}

Docs Members(const DocSet& set) {
  Docs out;
  for (std::uint32_t doc = set.Next(0); doc < set.size(); doc = set.Next(doc + 1)) out.push_back(doc);
  return out;
}

struct Encoded {
  Coding coding;
  std::string bytes;  // with slack
  std::string_view list() const { return std::string_view(bytes).substr(0, bytes.size() - kListSlack); }
};

Encoded Encode(const Docs& docs, std::uint32_t count) {
  Encoded out;
  out.bytes = "before";
  out.coding = AppendList(out.bytes, Gaps(docs), static_cast<std::uint32_t>(docs.size()), count);
  out.bytes.erase(0, 6);
  out.bytes.append(kListSlack, '\xFF');  // must not matter
  return out;
}

void ExpectRoundTrip(const Docs& docs, std::uint32_t count) {
  const Encoded encoded = Encode(docs, count);
  DocSet set(count);
  EXPECT_TRUE(DecodeList(encoded.coding, encoded.list(), static_cast<std::uint32_t>(docs.size()), set));
  EXPECT_EQ(Members(set), docs) << count;
}

TEST(PostingList, RoundTripsAtTheEdges) {
  for (const std::uint32_t count : {1U, 2U, 7U, 8U, 9U, 63U, 64U, 65U, 1000U, kMaxDocs - 1, kMaxDocs}) {
    Docs all(count);
    std::iota(all.begin(), all.end(), 0U);
    ExpectRoundTrip(all, count);
    ExpectRoundTrip({0}, count);
    ExpectRoundTrip({count - 1}, count);
    ExpectRoundTrip(Docs(all.begin() + 1, all.end()).empty() ? all : Docs(all.begin() + 1, all.end()), count);
    ExpectRoundTrip(Docs(all.begin() + count / 2, all.end()), count);
  }
}

Docs GenDocs(std::uint32_t count) {
  const std::uint32_t most = *rc::gen::element<std::uint32_t>(1, 3, 20, 300, 3000);
  std::set<std::uint32_t> docs;
  for (std::uint32_t i = 0; i < most; ++i) docs.insert(*rc::gen::inRange<std::uint32_t>(0, count));
  return {docs.begin(), docs.end()};
}

TEST(PostingListProperty, RoundTrips) {
  EXPECT_TRUE(rc::check([] {
    const std::uint32_t count = *rc::gen::element<std::uint32_t>(1, 5, 64, 100, 5000, 40'000, 65'536);
    ExpectRoundTrip(GenDocs(count), count);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

// The code looks for few documents one by one, and decodes the list for many.
TEST(PostingListProperty, KeepingEqualsDecodingAndIntersecting) {
  EXPECT_TRUE(rc::check([] {
    const std::uint32_t count = *rc::gen::element<std::uint32_t>(1, 5, 64, 100, 5000, 40'000, 65'536);
    const Docs listed = GenDocs(count);
    const Encoded encoded = Encode(listed, count);
    DocSet asked(count);
    for (const std::uint32_t doc : GenDocs(count)) asked.Add(doc);
    for (std::size_t i = 0; i < listed.size(); i += 7) asked.Add(listed[i]);  // otherwise hardly any would stay
    DocSet wanted = asked;
    DocSet all(count);
    const auto df = static_cast<std::uint32_t>(listed.size());
    RC_ASSERT(DecodeList(encoded.coding, encoded.list(), df, all));
    const bool less = wanted.Keep(all);
    bool taken = false;
    RC_ASSERT(KeepListed(encoded.coding, encoded.list(), df, asked, taken));
    RC_ASSERT(Members(asked) == Members(wanted));
    RC_ASSERT(taken == less);
  }));
}

TEST(PostingList, KeepingSeesAListOfTheWrongLength) {
  Docs every_tenth;
  for (std::uint32_t doc = 0; doc < 10'000; doc += 10) every_tenth.push_back(doc);
  Encoded encoded = Encode(every_tenth, 10'000);
  ASSERT_EQ(encoded.coding, Coding::kEliasFano);
  const auto kept = [&encoded] {
    DocSet set(10'000);
    set.Add(500);
    bool taken = false;
    return KeepListed(encoded.coding, encoded.list(), 1000, set, taken);
  };
  EXPECT_TRUE(kept());
  encoded.bytes[encoded.list().size() - 1] ^= 0x01;  // a one more or less in the unary half
  EXPECT_FALSE(kept());
}

TEST(PostingList, TakesTheSmallestCoding) {
  Docs every_second;
  Docs every_tenth;
  for (std::uint32_t doc = 0; doc < 10'000; doc += 2) every_second.push_back(doc);
  for (std::uint32_t doc = 0; doc < 10'000; doc += 10) every_tenth.push_back(doc);
  EXPECT_EQ(Encode(every_second, 10'000).coding, Coding::kBitmap);
  EXPECT_EQ(Encode(every_tenth, 10'000).coding, Coding::kEliasFano);
  EXPECT_EQ(Encode({1, 2, 3, 4}, 10'000).coding, Coding::kVarint);
}

// Any bytes at all: the decoder stays in bounds (sanitizers check that), and
// refuses them or finds a list.
TEST(PostingListProperty, ArbitraryBytesDoNoHarm) {
  EXPECT_TRUE(rc::check([] {
    const std::uint32_t count = *rc::gen::inRange<std::uint32_t>(1, 200);
    const std::uint32_t df = *rc::gen::inRange<std::uint32_t>(0, 210);
    std::string bytes = *rc::gen::arbitrary<std::string>();
    const std::size_t size = bytes.size();
    bytes.append(kListSlack, '\xFF');
    for (const Coding coding : {Coding::kVarint, Coding::kEliasFano, Coding::kBitmap}) {
      DocSet set(count);
      (void)DecodeList(coding, std::string_view(bytes).substr(0, size), df, set);
      RC_ASSERT(set.count() <= std::min(df, count) || coding == Coding::kBitmap);
      DocSet few(count);
      few.Add(count / 2);
      bool taken = false;
      (void)KeepListed(coding, std::string_view(bytes).substr(0, size), df, few, taken);
      RC_ASSERT(few.count() <= 1U);
    }
  }));
}

// Found by a fuzzer: Elias-Fano accepted the same document twice.
TEST(PostingList, AcceptedBytesHoldAsManyDocumentsAsPromised) {
  std::size_t accepted = 0;
  for (const std::uint32_t docs : {4U, 8U, 16U, 32U}) {
    for (const std::uint32_t df : {2U, 3U}) {
      for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const std::string padded =
            std::string{static_cast<char>(bits), static_cast<char>(bits >> 8)} + std::string(kListSlack, '\0');
        const std::string_view bytes = std::string_view(padded).substr(0, 2);
        for (const Coding coding : {Coding::kVarint, Coding::kEliasFano, Coding::kBitmap}) {
          DocSet set(docs);
          if (!DecodeList(coding, bytes, df, set)) continue;
          ++accepted;
          ASSERT_EQ(set.count(), df) << docs << " documents, bytes " << bits;
        }
      }
    }
  }
  EXPECT_GT(accepted, 1000U);
}

}  // namespace
}  // namespace forge::index
