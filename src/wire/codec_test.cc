#include "wire/codec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "wire/frame.h"
#include "wire/types.h"

namespace forge::wire {
namespace {

std::string Hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    if (!out.empty()) out += ' ';
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

SearchResponse SampleResponse() {
  SearchResponse response;
  response.end = SearchEnd::kTimedOut;
  response.pattern = "a|b";
  response.path = "/tree";
  response.matches = {{Event::Type::kMatch, "a.c", 300, 2, "xay", "a"}, {Event::Type::kContext, "a.c", 301, 0, "", ""}};
  response.truncated = true;
  response.files_scanned = 70000;
  response.errors = {{"b.c", "Permission denied"}};
  response.exit_code = -1;
  response.stderr_text = "said";
  response.notes = {"one", "two"};
  response.content = std::string("x\0y", 3);
  response.stats.emplace();
  response.stats->index_bypass_reason = IndexReason::kWatcherDown;
  response.stats->fuzzy_levels_tried = {1, 2};
  response.stats->elapsed = std::chrono::milliseconds(-5);
  response.stats->build_phase = IndexPhase::kPersist;
  return response;
}

TEST(Wire, TheBytesAreTheseAndNoOthers) {
  EXPECT_EQ(Hex(Encode(true)), "01");
  EXPECT_EQ(Hex(Encode(std::uint64_t{300})), "ac 02");
  EXPECT_EQ(Hex(Encode(std::int64_t{-2})), "03");
  EXPECT_EQ(Hex(Encode(1.0)), "00 00 00 00 00 00 f0 3f");
  EXPECT_EQ(Hex(Encode(std::string("ab"))), "02 61 62");
  EXPECT_EQ(Hex(Encode(SearchEnd::kFull)), "02");
  EXPECT_EQ(Hex(Encode(std::optional<bool>())), "00");
  EXPECT_EQ(Hex(Encode(std::vector<std::string>{"a", ""})), "02 01 61 00");
  EXPECT_EQ(Hex(Encode(BypassReason(IndexState::kBuilding))), "01 01");
  EXPECT_EQ(Hex(Encode(SearchRequest{.pattern = "ab", .context = 2})),
            "02 61 62 00 00 00 00 00 00 01 00 00 00 04 00 00 00 00 00 00"
            " 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
  EXPECT_EQ(Hex(Encode(Event{Event::Type::kMatch, "a", 1, 2, "xb", "b", 3, LineEnding::kLf, {{1, 2}}})),
            "00 01 61 01 02 02 78 62 01 62 03 01 01 02 01 01 00 01 02 00");
  EXPECT_EQ(Hex(Encode(Event{Event::Type::kMatch, "a", 1, 2, "xb", "b", 3})), "00 01 61 01 02 02 78 62 01 62 03 00 00");
  EXPECT_EQ(Hex(Encode(BadArgs("no"))), "00 02 6e 6f 00 00 00 00 00");
}

TEST(Wire, AResponseComesBackAsItWas) {
  const std::string bytes = Encode(SampleResponse());
  const auto back = Decode<SearchResponse>(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(Encode(*back), bytes);
  EXPECT_EQ(back->matches[0].line_number, 300U);
  EXPECT_EQ(back->exit_code, -1);
  EXPECT_EQ(back->content.size(), 3U);
  EXPECT_EQ(back->stats->index_bypass_reason, BypassReason(IndexReason::kWatcherDown));
  EXPECT_EQ(back->stats->elapsed.count(), -5);
}

TEST(Wire, EveryBeginningOfAValueIsRefused) {
  const std::string bytes = Encode(SampleResponse());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Decode<SearchResponse>(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(Decode<SearchResponse>(bytes + '\0'));
}

TEST(Wire, NumbersOutOfRangeAreRefused) {
  EXPECT_FALSE(Decode<bool>("\2"));
  EXPECT_FALSE(Decode<SearchEnd>("\12"));                           // ten
  EXPECT_FALSE(Decode<std::uint64_t>(std::string("\x80\x00", 2)));  // 0, with a needless byte
  EXPECT_FALSE(Decode<std::uint64_t>("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"));
  EXPECT_FALSE(Decode<int>(Encode(std::int64_t{1} << 31)));
  EXPECT_FALSE(Decode<BypassReason>(std::string("\3\0", 2)));
  EXPECT_TRUE(Decode<std::uint64_t>("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
}

// A count that no message can hold must not be believed.
TEST(Wire, AHugeCountAllocatesNothing) {
  Writer writer;
  writer.Put(std::uint64_t{1} << 62);
  EXPECT_FALSE(Decode<std::vector<std::string>>(writer.Take()));
}

RC_GTEST_PROP(WireProperty, RequestsAndEventsComeBack, (const std::vector<std::string>& texts, std::int64_t number)) {
  SearchRequest request{.pattern = texts.empty() ? "" : texts.front(), .include_glob = texts, .context = number};
  request.timeout = std::chrono::milliseconds(number);
  const std::string bytes = Encode(request);
  const auto back = Decode<SearchRequest>(bytes);
  RC_ASSERT(back.has_value());
  RC_ASSERT(back->include_glob == texts);
  RC_ASSERT(back->timeout->count() == number);
  RC_ASSERT(Encode(*back) == bytes);
}

// What decodes is the one spelling of its value.
RC_GTEST_PROP(WireProperty, AnyBytesAreAValueOrNothing, (const std::string& bytes)) {
  if (const auto response = Decode<SearchResponse>(bytes)) RC_ASSERT(Encode(*response) == bytes);
  if (const auto request = Decode<SearchRequest>(bytes)) RC_ASSERT(Encode(*request) == bytes);
  if (const auto status = Decode<std::vector<IndexStatus>>(bytes)) RC_ASSERT(Encode(*status) == bytes);
}

TEST(WireProperty, OneWrongByteIsAValueOrNothing) {
  const std::string good = Encode(SampleResponse());
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(value);
      const auto response = Decode<SearchResponse>(bytes);
      if (!response) continue;
      ASSERT_EQ(Encode(*response), bytes);
    }
  }
}

TEST(Frame, TheBytesAreTheseAndNoOthers) {
  std::string bytes;
  PutFrame(5, "ab", bytes);
  EXPECT_EQ(Hex(bytes), "03 00 00 00 05 61 62");
}

TEST(Frame, ComesInAnyPieces) {
  std::string bytes;
  PutFrame(1, "one", bytes);
  PutFrame(2, "", bytes);
  PutFrame(3, std::string(1000, 'x'), bytes);
  for (std::size_t piece = 1; piece < 20; ++piece) {
    FrameReader reader(1000);
    std::vector<std::size_t> sizes;
    Frame frame;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.Feed(std::string_view(bytes).substr(at, piece));
      while (reader.Take(frame) == FrameReader::Next::kFrame) sizes.push_back(frame.payload.size());
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 0, 1000})) << piece;
  }
}

TEST(Frame, ALengthOfNothingOrTooMuchIsGarbageForEver) {
  for (const std::string& start :
       {std::string("\0\0\0\0", 4), std::string("\xff\xff\xff\xff", 4), std::string("GET ")}) {
    FrameReader reader(1000);
    Frame frame;
    reader.Feed(start);
    EXPECT_EQ(reader.Take(frame), FrameReader::Next::kGarbage);
    reader.Feed(std::string("\1\0\0\0\5", 5));
    EXPECT_EQ(reader.Take(frame), FrameReader::Next::kGarbage);
  }
}

}  // namespace
}  // namespace forge::wire
