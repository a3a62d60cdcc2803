// What ripgrep and ugrep print: the same records, however the output is cut into
// pieces.
#include "backend/searcher.h"
#include "fuzz/fuzz.h"

namespace forge {
namespace {

struct Read {
  std::vector<std::string> records;
  bool fine = true;
  bool at_end = true;

  friend bool operator==(const Read&, const Read&) = default;
};

Read ReadIn(const SearcherKind& kind, std::string_view text, std::size_t piece) {
  Read out;
  const auto parser = kind.MakeParser();
  const auto use = [&](const SeenRecord& record) {
    out.records.push_back(std::string(record.path) + ":" + std::to_string(record.line.line_number) + ":" +
                          std::to_string(record.line.offset) + ":" + std::to_string(record.line.length));
    return true;
  };
  for (std::size_t at = 0; at < text.size() && out.fine; at += piece)
    out.fine = parser->Feed(text.substr(at, piece), use);
  out.at_end = !out.fine || parser->AtEnd();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const SearcherKind* kind : {&Ripgrep(), &Ugrep()}) {
    (void)kind->Identify(text);
    (void)kind->ComplaintAbout(text);
    const Read whole = ReadIn(*kind, text, std::max<std::size_t>(size, 1));
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}}) {
      fuzz::Require(ReadIn(*kind, text, piece) == whole, "pieces give the same records", text);
    }
  }
  return 0;
}

}  // namespace forge
