// The proof that a segment finds the files it was made of.
//
//   const auto proof = ProofOf(segment);
//   proof->Add({0, 2}, text);
//   proof->Finish([](std::uint32_t doc, std::string_view gram) { ... });
//
// Everything a plan may ask for is looked for: each two and three bytes in a row
// of each line of each document (postings), each n-gram (bloom). If a document is
// found by all of them, no plan that holds for it leaves it out: plans have no
// NOT. How grams are found is written down here once more, as plainly as can be,
// so that a mistake of the builder is not made again.
//
// One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "forge/result.h"
#include "index/segment/segment.h"

namespace forge::index {

class SegmentProof {
 public:
  using Report = std::function<void(std::uint32_t doc, std::string_view gram)>;

  virtual ~SegmentProof() = default;

  // A file and its documents, one at least. False if these cannot be the documents
  // of such a text; then nothing is known of it.
  virtual Result<bool> Add(DocRange docs, std::string_view text, const Report& report) = 0;

  // What Add has not reported yet. An error if the segment cannot be read.
  virtual Status Finish(const Report& report) = 0;
};

// `segment` must outlive the proof.
std::unique_ptr<SegmentProof> ProofOf(const Segment& segment);

}  // namespace forge::index
