// Reads JSON from outside.
//
// No input can crash or hang the process: size, nesting and the number of
// values are bounded (16 MB of "{}," would need half a gigabyte once parsed).
// It refuses a text that readers could understand in two ways (a key twice,
// half a surrogate pair, bytes that are not UTF-8). All errors are BadArgs.
//
// Models and hosts send "50" for 50, "true" for true, null for a field that they
// leave out, "*.cc" or "[\"*.cc\"]" for a list of one. Each of these can be read
// in one way only, and an error costs the model another round. So the MCP server
// reads leniently. `forge-search call` reads strictly (FR-LS-02a): a program
// should learn of its mistakes.
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

// A lenient reader also refuses an unknown field more shortly: a model knows the
// schema.
enum class Leniency { kStrict, kLenient };

// Parses one document of any kind.
Result<nlohmann::json> ParseJson(std::string_view text);

// Checks the arguments in a document against `fields`.
Result<Arguments> ReadArguments(const std::vector<Field>& fields, nlohmann::json&& json, Leniency leniency);

// Both in one call.
Result<Arguments> ParseArguments(const std::vector<Field>& fields, std::string_view text, Leniency leniency);

}  // namespace forge::tool
