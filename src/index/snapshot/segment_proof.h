// The proof that a segment finds the files it was made of.
//
//   const auto proof = ProofOf(segment);
//   proof->Add({0, 2}, text);
//   proof->Finish([](std::uint32_t doc, std::string_view gram) { ... });
//
// The proof asks the segment for everything that a plan may ask for: each two and three
// bytes in a row of each line of each document (postings), each n-gram (bloom). If all
// of them find the document, no plan that holds for it leaves it out: plans have no
// NOT. The proof finds grams by plain code of its own, so that it does not repeat a
// mistake of the builder.
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

  // Adds a file and its documents, at least one. False if these cannot be the
  // documents of that text; then the proof says nothing about it.
  virtual Result<bool> Add(DocRange docs, std::string_view text, const Report& report) = 0;

  // Reports what Add has not reported yet. An error if the segment cannot be read.
  virtual Status Finish(const Report& report) = 0;
};

// `segment` must outlive the proof.
std::unique_ptr<SegmentProof> ProofOf(const Segment& segment);

}  // namespace forge::index
