#include "indexer/inspect.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "index/snapshot/exclusion.h"
#include "index/snapshot/segment_proof.h"

namespace forge::indexer {

using index::PackedRow;

namespace {

constexpr std::size_t kMostProblems = 20;

std::uint64_t CountCandidates(const index::Catalog& catalog, index::Exclusion& test) {
  std::uint64_t count = 0;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    for (std::size_t i = 0; i < catalog.page(p).size(); ++i) {
      const PackedRow& row = catalog.page(p).row(i);
      count += row.kind == index::CatalogRow::Kind::kFile && test.MayMatch(row) ? 1U : 0U;
    }
  }
  return count;
}

struct Indexed {
  std::string path;
  const PackedRow* row = nullptr;
};

// Stands for "no segment", for files without documents: an empty file has no
// line that could match.
constexpr index::SegmentId kNoSegment = std::numeric_limits<index::SegmentId>::max();

// The files whose documents are in one segment, in order of documents.
using FilesBySegment = std::map<index::SegmentId, std::vector<Indexed>>;

FilesBySegment FilesOf(const index::Catalog& catalog, IndexVerification& out) {
  FilesBySegment files;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    const index::Page& page = catalog.page(p);
    for (std::size_t i = 0; i < page.size(); ++i) {
      const PackedRow& row = page.row(i);
      if (row.kind != index::CatalogRow::Kind::kFile) continue;
      if (index::IsAlwaysCandidate(row)) {
        ++out.not_indexed;
      } else {
        const index::SegmentId segment = row.docs.count == 0 ? kNoSegment : row.segment;
        files[segment].push_back({std::string(page.path(i)), &row});
      }
    }
  }
  for (auto& [id, some] : files) {
    std::sort(some.begin(), some.end(),
              [](const Indexed& a, const Indexed& b) { return a.row->docs.first < b.row->docs.first; });
  }
  return files;
}

// Every gram of every file of a segment must find the file.
class SegmentCheck {
 public:
  SegmentCheck(std::unique_ptr<index::SegmentProof> proof, const std::vector<Indexed>& files, IndexVerification& out)
      : proof_(std::move(proof)), files_(files), out_(out) {}

  Status Run(FileOpener& opener, const CancelToken& cancel) {
    for (const Indexed& file : files_) {
      if (cancel.cancelled()) return {};
      if (!Read(opener, file)) {
        ++out_.changed;
        continue;
      }
      ++out_.files;
      if (!proof_) continue;
      const auto fits = proof_->Add(file.row->docs, buffer_.view(), report_);
      if (!fits) return fits.error();
      if (!*fits) Problem(file.path + ": its blocks differ from those in the index");
    }
    return proof_ ? proof_->Finish(report_) : Status();
  }

 private:
  // The text, if it has not changed since it was indexed.
  bool Read(FileOpener& opener, const Indexed& file) {
    const auto fd = opener.Open(file.path);
    if (!fd.ok()) return false;
    const auto before = os::Stat(fd->get());
    if (!before.ok() || *before != file.row->info) return false;
    const auto size = os::ReadAll(fd->get(), before->size, before->size + 1, buffer_);
    const auto after = os::Stat(fd->get());
    return size.ok() && *size == before->size && after.ok() && *after == *before;
  }

  // Reports one gram of each file; that is enough.
  void Missed(std::uint32_t doc, std::string_view gram) {
    const auto behind =
        std::upper_bound(files_.begin(), files_.end(), doc,
                         [](std::uint32_t number, const Indexed& file) { return number < file.row->docs.first; });
    if (behind == files_.begin() || !told_.insert(std::prev(behind)->path).second) return;
    Problem(std::prev(behind)->path + ": would be left out of a search for \"" + Sanitize(std::string(gram)) + "\"");
  }

  void Problem(std::string text) {
    if (out_.problems.size() < kMostProblems) out_.problems.push_back(std::move(text));
  }

  const std::unique_ptr<index::SegmentProof> proof_;  // null: the files have no documents
  const std::vector<Indexed>& files_;
  IndexVerification& out_;
  const index::SegmentProof::Report report_ = [this](std::uint32_t doc, std::string_view gram) { Missed(doc, gram); };
  std::set<std::string> told_;
  os::Buffer buffer_;
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
  for (const auto& [id, files] : FilesOf(snapshot.catalog, out)) {
    const auto segment = snapshot.segments.find(id);
    // An update drops a segment whose last file has changed. It stores that
    // file's new row only after it has indexed the file. Until then the row
    // excludes nothing.
    if (segment == snapshot.segments.end() && id != kNoSegment) {
      out.not_indexed += files.size();
      continue;
    }
    auto proof = id == kNoSegment ? nullptr : index::ProofOf(*segment->second);
    const Status status = SegmentCheck(std::move(proof), files, out).Run(opener, cancel);
    if (!status.ok()) out.problems.push_back("segment " + std::to_string(id) + ": " + status.error().message);
  }
  return out;
}

Result<IndexExplanation> Explain(const index::SnapshotPtr& snapshot, const index::TokenQuery& query) {
  IndexExplanation out;
  out.plan = ToString(query.plan);
  out.files = snapshot->catalog.files();
  const auto count = [&](const NgramPlan& plan) -> Result<std::uint64_t> {
    index::TokenQuery part = query;
    part.plan = plan;
    index::Exclusion test(snapshot, std::move(part));
    if (const Status asked = test.AskAll(); !asked) return asked.error();
    return CountCandidates(snapshot->catalog, test);
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
