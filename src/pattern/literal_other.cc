#include "pattern/literal_scan.h"

namespace forge {

LiteralFinder::Simd LiteralFinder::Best() { return Simd::kNone; }

std::size_t LiteralFinder::FindWith(Simd /*simd*/, std::string_view text, std::size_t from) const {
  const auto scan = [](const char*, std::size_t&, std::size_t, const LiteralProbe&, const auto&) {
    return std::string_view::npos;
  };
  return FindBy(scan, text, from);
}

}  // namespace forge
