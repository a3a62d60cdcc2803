#include "forge/places.h"

namespace forge {
namespace {

void PutNumber(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

std::uint64_t TakeNumber(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

}  // namespace

Places::Iterator::Iterator(const Places& places)
    : steps_(places.steps_), texts_(places.texts_), replaced_(places.replaced_), at_end_(false) {
  Read();
}

void Places::Iterator::Read() {
  at_end_ = at_ == steps_.size();
  if (at_end_) return;
  place_.begin = place_.end + TakeNumber(steps_, at_);
  place_.end = place_.begin + TakeNumber(steps_, at_);
  if (!replaced_) return;
  place_.replacement = texts_.substr(0, TakeNumber(steps_, at_));
  texts_.remove_prefix(place_.replacement.size());
}

void Places::Add(std::uint64_t begin, std::uint64_t end) {
  PutNumber(begin - end_, steps_);
  PutNumber(end - begin, steps_);
  end_ = end;
  ++size_;
}

void Places::Add(std::uint64_t begin, std::uint64_t end, std::string_view replacement) {
  Add(begin, end);
  PutNumber(replacement.size(), steps_);
  texts_ += replacement;
  replaced_ = true;
}

Places::Iterator Places::end() const {
  Iterator end;
  end.at_ = steps_.size();
  return end;
}

}  // namespace forge
