#include "pattern/format.h"

#include <charconv>

namespace forge {
namespace {

bool IsNameChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The name of a group at the start of `text`, which follows a '$'. `used` is 0
// if there is none.
std::string_view TakeName(std::string_view text, std::size_t& used) {
  const bool braces = text.starts_with('{');
  std::size_t end = braces ? 1 : 0;
  while (end < text.size() && IsNameChar(text[end])) ++end;
  const std::string_view name = text.substr(braces ? 1 : 0, end - (braces ? 1 : 0));
  used = 0;
  if (name.empty() || (braces && (end == text.size() || text[end] != '}'))) return {};
  used = end + (braces ? 1 : 0);
  return name;
}

}  // namespace

std::string ExpandFormat(std::string_view format, const std::function<std::string_view(std::string_view)>& group) {
  std::string out;
  while (!format.empty()) {
    const std::size_t dollar = std::min(format.find('$'), format.size());
    out += format.substr(0, dollar);
    format.remove_prefix(dollar);
    if (format.empty()) break;
    format.remove_prefix(1);
    std::size_t used = format.starts_with('$') ? 1 : 0;
    if (used == 0) {
      const std::string_view name = TakeName(format, used);
      if (used > 0) {
        out += group(name);
        format.remove_prefix(used);
        continue;
      }
    }
    out += '$';
    format.remove_prefix(used);
  }
  return out;
}

std::optional<std::uint64_t> AsNumber(std::string_view name) {
  std::uint64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace forge
