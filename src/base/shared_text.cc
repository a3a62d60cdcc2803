#include "forge/shared_text.h"

#include <cstring>

namespace forge {

SharedText::SharedText(std::string_view text) : size_(text.size()) {
  if (text.empty()) return;
  auto copy = std::make_shared_for_overwrite<char[]>(text.size());
  std::memcpy(copy.get(), text.data(), text.size());
  const char* const bytes = copy.get();
  bytes_ = {std::move(copy), bytes};
}

}  // namespace forge
