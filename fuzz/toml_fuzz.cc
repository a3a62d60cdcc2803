// Configuration files: a value that we print is read back as the same value.
#include "config/toml.h"
#include "fuzz/fuzz.h"

namespace forge {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)config::ParseTomlValue(text.substr(0, 1000));
  const auto entries = config::ParseToml(text, "fuzz.toml");
  if (!entries) return 0;
  for (const config::Entry& entry : *entries) {
    if (std::holds_alternative<std::monostate>(entry.value)) continue;
    const std::string printed = config::TomlText(entry.value);
    const auto again = config::ParseToml("x = " + printed + "\n", "again");
    fuzz::Require(again.ok() && again->size() == 1, "a printed value can be read", printed);
    fuzz::Require(config::TomlText(again->front().value) == printed, "and is the same value", printed);
  }
  return 0;
}

}  // namespace forge
