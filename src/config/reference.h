// The page docs/configuration.md: every key, grouped by what a user wants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forge::config {

struct KeyGroup {
  std::string_view title;
  std::string_view words;              // about the whole group; "": none
  std::vector<std::string_view> keys;  // "binary" of [tools.search], or "server.mode"
};

// Each key is in one of them; a test checks that.
const std::vector<KeyGroup>& KeyGroups();

// In Markdown; a test compares it with the page.
std::string ReferencePage();

}  // namespace forge::config
