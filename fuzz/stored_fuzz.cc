// Decoders of what is stored, given any bytes: lists, dictionaries, block tables,
// sheets of the catalog, segments. They stay in bounds and refuse, or they give
// values that are written as bytes that read the same.
#include "fuzz/fuzz.h"
#include "index/catalog/catalog_sheet.h"
#include "index/postings/block_table.h"
#include "index/postings/dictionary.h"
#include "index/postings/posting_list.h"
#include "index/snapshot/open_segment.h"

namespace forge {
namespace {

using namespace index;

void ReadList(FuzzedDataProvider& in) {
  const auto coding = static_cast<Coding>(in.ConsumeIntegralInRange<int>(0, kCodings - 1));
  const auto docs = in.ConsumeIntegralInRange<std::uint32_t>(1, kMaxDocs);
  const auto df = in.ConsumeIntegralInRange<std::uint32_t>(1, docs);
  std::string bytes = in.ConsumeRemainingBytesAsString();
  const std::size_t size = bytes.size();
  bytes.append(kListSlack, '\0');
  DocSet set(docs);
  if (DecodeList(coding, std::string_view(bytes).substr(0, size), df, set)) {
    fuzz::Require(set.count() == df, "as many documents as promised");
  }
  DocSet kept = DocSet(docs, true);
  bool taken = false;
  (void)KeepListed(coding, std::string_view(bytes).substr(0, size), df, kept, taken);
}

void ReadDictionary(FuzzedDataProvider& in) {
  const auto keys = in.ConsumeIntegralInRange<std::uint32_t>(0, 5000);
  const auto docs = in.ConsumeIntegralInRange<std::uint32_t>(1, kMaxDocs);
  const auto postings = in.ConsumeIntegralInRange<std::uint64_t>(0, 1 << 20);
  const auto dictionary = Dictionary::Read(in.ConsumeRemainingBytesAsString(), keys, docs, postings);
  if (!dictionary) return;
  fuzz::Require(dictionary->size() == keys, "all trigrams");
  (void)dictionary->Find("abc");
  (void)dictionary->Find("ab");
}

void ReadBlocks(FuzzedDataProvider& in) {
  const auto count = in.ConsumeIntegralInRange<std::uint32_t>(0, 1000);
  const std::string bytes = in.ConsumeRemainingBytesAsString();
  const auto blocks = ReadBlockTable(bytes, count);
  if (blocks) fuzz::Require(blocks->size() == count, "all blocks");
}

void ReadSheet(FuzzedDataProvider& in) {
  std::vector<CatalogRow> rows;
  if (!DecodeSheet(in.ConsumeRemainingBytesAsString(), rows)) return;
  std::vector<CatalogRow> again;
  fuzz::Require(DecodeSheet(EncodeSheet(rows), again) && again == rows, "rows read back as they were");
}

void ReadSegment(FuzzedDataProvider& in) {
  const auto segment = OpenSegment(InMemory(in.ConsumeRemainingBytesAsString()));
  if (!segment) return;
  (void)(*segment)->Verify();
  (void)(*segment)->Candidates({.plan = PlanForLiteral("needle"), .literal = "needle"});
  (void)(*segment)->Blocks(0, (*segment)->doc_count());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  FuzzedDataProvider in(data + 1, size - 1);
  switch (data[0] % 5) {
    case 0: ReadList(in); break;
    case 1: ReadDictionary(in); break;
    case 2: ReadBlocks(in); break;
    case 3: ReadSheet(in); break;
    default: ReadSegment(in); break;
  }
  return 0;
}

}  // namespace forge
