// Links on file names: `--hyperlink-format vscode`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forge::cli {

// The format behind a name such as "default" or "vscode", or `text` itself if it
// has {path}. Nothing if it is neither; "" for "none".
std::optional<std::string> LinkFormat(std::string_view text);

// The address of a place. A line or column of 0 counts as 1.
std::string LinkTo(std::string_view format, std::string_view path, std::uint64_t line, std::uint64_t column);

}  // namespace forge::cli
