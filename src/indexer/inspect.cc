#include "indexer/inspect.h"

#include <set>
#include <string>

#include "base/strings.h"
#include "index/exclusion.h"
#include "match/lines.h"

namespace forge::indexer {

using index::PackedRow;

namespace {

constexpr std::size_t kMostProblems = 20;

std::uint64_t CountCandidates(const index::Snapshot& snapshot, const index::Exclusion& test) {
  std::uint64_t count = 0;
  const index::Catalog& catalog = snapshot.catalog;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    for (std::size_t i = 0; i < catalog.page(p).size(); ++i) {
      const PackedRow& row = catalog.page(p).row(i);
      count += row.kind == index::CatalogRow::Kind::kFile && test.MayMatch(row) ? 1U : 0U;
    }
  }
  return count;
}

// Some places of the file, each of which must find the file: what a search for
// that text would ask.
class FileProof {
 public:
  FileProof(const index::Snapshot& snapshot, IndexVerification& out) : snapshot_(snapshot), out_(out) {}

  void Check(const std::string& path, const PackedRow& row, std::string_view text) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      const std::string_view part = PartAt(text, text.size() * place / kPlaces);
      if (part.size() >= 3 && !Finds(row, part)) return Report(path, part);
    }
  }

 private:
  static constexpr std::size_t kPlaces = 3;

  // A part of the first whole line behind `at`.
  static std::string_view PartAt(std::string_view text, std::size_t at) {
    constexpr std::size_t kMost = 200;
    if (at > 0) at = text.find('\n', at);
    if (at == text.npos) return {};
    text.remove_prefix(at);
    while (text.starts_with('\n')) text.remove_prefix(1);
    return text.substr(0, std::min(text.find('\n'), kMost));
  }

  bool Finds(const PackedRow& row, std::string_view text) const {
    const auto segment = snapshot_.segments.find(row.segment);
    if (segment == snapshot_.segments.end()) return true;  // a row of no segment is never excluded
    index::TokenQuery query;
    query.plan = PlanForLiteral(text);
    query.literal = std::string(text);
    const auto docs = segment->second->Candidates(query);
    return docs && docs->HasAny(row.docs.first, row.docs.count);
  }

  void Report(const std::string& path, std::string_view text) {
    if (out_.problems.size() < kMostProblems) {
      out_.problems.push_back(path + ": would be left out of a search for \"" + Sanitize(std::string(text)) + "\"");
    }
  }

  const index::Snapshot& snapshot_;
  IndexVerification& out_;
};

}  // namespace

IndexVerification Verify(const SearchRoot& root, const index::Snapshot& snapshot, const CancelToken& cancel) {
  IndexVerification out;
  for (const auto& [id, segment] : snapshot.segments) {
    if (Status status = segment->Verify(); !status.ok()) {
      out.problems.push_back("segment " + std::to_string(id) + ": " + status.error().message);
    }
  }
  if (!out.problems.empty()) return out;
  FileOpener opener(root);
  FileProof proof(snapshot, out);
  os::Buffer buffer;
  const index::Catalog& catalog = snapshot.catalog;
  for (std::size_t p = 0; p < catalog.pages() && !cancel.cancelled(); ++p) {
    const index::Page& page = catalog.page(p);
    for (std::size_t i = 0; i < page.size(); ++i) {
      const PackedRow& row = page.row(i);
      if (row.kind != index::CatalogRow::Kind::kFile) continue;
      if (index::IsAlwaysCandidate(row)) {
        ++out.not_indexed;
        continue;
      }
      const std::string path(page.path(i));
      const auto fd = opener.Open(path);
      const auto info = fd.ok() ? os::Stat(fd->get()) : os::OsResult<os::FileInfo>(fd.error());
      if (!info.ok() || *info != row.info || !os::ReadAll(fd->get(), info->size, info->size + 1, buffer).ok()) {
        ++out.changed;
        continue;
      }
      ++out.files;
      proof.Check(path, row, buffer.view());
    }
  }
  return out;
}

Result<IndexExplanation> Explain(const index::Snapshot& snapshot, const index::TokenQuery& query) {
  IndexExplanation out;
  out.plan = ToString(query.plan);
  out.files = snapshot.catalog.files();
  const auto count = [&](const NgramPlan& plan) -> Result<std::uint64_t> {
    index::TokenQuery part = query;
    part.plan = plan;
    const auto test = index::Exclusion::For(snapshot, part);
    if (!test) return test.error();
    return CountCandidates(snapshot, *test);
  };
  const bool parts = query.plan.kind == NgramPlan::Kind::kAnd || query.plan.kind == NgramPlan::Kind::kOr;
  if (parts) {
    for (const NgramPlan& part : query.plan.parts) {
      const auto files = count(part);
      if (!files) return files.error();
      out.steps.push_back({ToString(part), *files});
    }
  }
  const auto all = count(query.plan);
  if (!all) return all.error();
  out.candidates = *all;
  return out;
}

}  // namespace forge::indexer
