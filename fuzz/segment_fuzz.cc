// Segments of both structures, built from texts and then damaged: what they exclude
// holds no match, or they report the damage.
//
//   a literal
//   ====
//   texts of files, with a line "----" between them
//   ====
//   pairs of bytes: where to change, and what to add to the byte there
#include "base/ascii.h"
#include "fuzz/fuzz.h"
#include "index/bloom/bloom_segment.h"
#include "index/postings/postings_segment.h"
#include "index/snapshot/open_segment.h"

namespace forge {
namespace {

using namespace index;

std::string Lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = LowerAscii(c);
  return out;
}

std::vector<std::string> Texts(const std::string& joined) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at <= joined.size() && texts.size() < 8;) {
    const std::size_t end = std::min(joined.find("\n----\n", at), joined.size());
    texts.push_back(joined.substr(at, end - at));
    at = end + 6;
  }
  return texts;
}

void Damage(std::string& image, std::string_view changes) {
  for (std::size_t i = 0; i + 2 < changes.size(); i += 3) {
    const std::size_t place =
        static_cast<unsigned char>(changes[i]) * 256U + static_cast<unsigned char>(changes[i + 1]);
    image[place % image.size()] = static_cast<char>(image[place % image.size()] + changes[i + 2]);
  }
}

void Check(SegmentBuilder& builder, const std::string& literal, const std::vector<std::string>& texts,
           const std::string& changes) {
  std::vector<DocRange> docs;
  for (const std::string& text : texts) docs.push_back(builder.Add(text));
  std::string image = builder.Finish();
  const bool damaged = changes.size() >= 3;
  Damage(image, changes);
  const auto segment = OpenSegment(InMemory(std::move(image)));
  fuzz::Require(damaged || segment.ok(), "a good segment opens");
  if (!segment) return;
  const auto found = (*segment)->Candidates({.plan = PlanForLiteral(literal), .literal = literal, .ignore_case = true});
  fuzz::Require(damaged || found.ok(), "a good segment answers");
  if (!found) return;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (docs[i].count == 0 || Lowered(texts[i]).find(Lowered(literal)) == std::string::npos) continue;
    fuzz::Require(found->HasAny(docs[i].first, docs[i].count), "a file with the text is a candidate", texts[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::Parts(data, std::min<std::size_t>(size, 20000), 3);
  const std::string& literal = parts[0];
  if (literal.empty() || literal.size() > 200 || literal.find('\n') != literal.npos) return 0;
  const std::vector<std::string> texts = Texts(parts[1]);
  Check(*MakePostingsBuilder(), literal, texts, parts[2]);
  Check(*MakeBloomBuilder({}), literal, texts, parts[2]);
  return 0;
}

}  // namespace forge
