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

Places::Iterator::Iterator(const Places& places) {
  if (!places.kept_) return;
  steps_ = places.kept_->steps;
  texts_ = places.kept_->texts;
  replaced_ = places.kept_->replaced;
  at_end_ = false;
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

Places::Kept& Places::Mutable() {
  if (!kept_) kept_ = std::make_unique<Kept>();
  return *kept_;
}

void Places::Add(std::uint64_t begin, std::uint64_t end) {
  Kept& kept = Mutable();
  PutNumber(begin - kept.end, kept.steps);
  PutNumber(end - begin, kept.steps);
  kept.end = end;
  ++kept.size;
}

void Places::Add(std::uint64_t begin, std::uint64_t end, std::string_view replacement) {
  Add(begin, end);
  PutNumber(replacement.size(), kept_->steps);
  kept_->texts += replacement;
  kept_->replaced = true;
}

Places::Iterator Places::end() const {
  Iterator end;
  end.at_ = kept_ ? kept_->steps.size() : 0;
  return end;
}

}  // namespace forge
