// A builder of segments that calls back after each file, so that a test can stop the
// work at a certain file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "index/postings/postings_segment.h"

namespace forge::indexer {

class NoisyBuilder : public index::SegmentBuilder {
 public:
  explicit NoisyBuilder(std::function<void()> after) : after_(std::move(after)) {}
  bool Fits(std::uint64_t size) const override { return inner_->Fits(size); }
  index::DocRange Add(std::string_view bytes) override {
    const index::DocRange docs = inner_->Add(bytes);
    after_();
    return docs;
  }
  std::uint32_t docs() const override { return inner_->docs(); }
  std::size_t memory() const override { return inner_->memory(); }
  std::string Finish() override { return inner_->Finish(); }

 private:
  const std::unique_ptr<index::SegmentBuilder> inner_ = index::MakePostingsBuilder();
  const std::function<void()> after_;
};

}  // namespace forge::indexer
