// The text that replaces a match: `-r 'x$1'`.
//
//   $1 $name ${1} ${name}   what the group matched; nothing if there is no such group
//   $$                      a dollar sign
//
// A name is as long as possible, so "$1a" is the group "1a", and "${1}a" is the
// first group and an a. This is ripgrep's syntax.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace forge {

std::string ExpandFormat(std::string_view format, const std::function<std::string_view(std::string_view)>& group);

// The number of a group that is named by its number.
std::optional<std::uint64_t> AsNumber(std::string_view name);

}  // namespace forge
