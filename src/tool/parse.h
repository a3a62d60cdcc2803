// The door for JSON from outside.
//
// Nothing that comes in can crash or hang the process: size, nesting and the
// number of values are bounded (16 MB of "{}," would need half a gigabyte once
// parsed), and a text that readers could take in two ways (a key twice, half a
// surrogate pair, bytes that are not UTF-8) is refused. All errors are BadArgs.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "forge/result.h"
#include "tool/schema.h"

namespace forge::tool {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 100'000;

// Any one document.
Result<nlohmann::json> ParseJson(std::string_view text);

// The arguments in `json`, checked against `fields`.
Result<Arguments> ParseArguments(const std::vector<Field>& fields, std::string_view json);

}  // namespace forge::tool
