#include "index/segment/segment.h"

#include <algorithm>

namespace forge::index {
namespace {

class BytesInMemory final : public SegmentBytes {
 public:
  explicit BytesInMemory(std::string image) : image_(std::move(image)) {}

  std::uint64_t size() const override { return image_.size(); }

  bool Read(std::uint64_t offset, std::size_t size, char* out) const override {
    if (offset > image_.size() || size > image_.size() - offset) return false;
    std::copy_n(image_.data() + offset, size, out);
    return true;
  }

  std::size_t memory() const override { return image_.capacity(); }

 private:
  std::string image_;
};

}  // namespace

std::unique_ptr<SegmentBytes> InMemory(std::string image) { return std::make_unique<BytesInMemory>(std::move(image)); }

}  // namespace forge::index
