#include "base/clip_line.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"

namespace forge {
namespace {

// The nearest start of a character at or before `at`.
std::size_t CharacterStart(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

std::string ClipLine(const Event& event, std::size_t width) {
  return ClipLine(event.line, event.column == 0 ? 0 : event.column - 1, width);
}

std::string ClipLine(std::string_view line, std::size_t match, std::size_t width) {
  if (line.size() <= width) return Sanitize(line);
  // Columns count bytes of the file. Where bad UTF-8 was replaced, the shown
  // line is longer and the window begins a little early, which does no harm.
  match = std::min(match, line.size());
  const std::size_t before = width / 3;
  std::size_t begin = match > before ? match - before : 0;
  begin = std::min(begin, line.size() - width);
  begin = CharacterStart(line, begin);
  const std::size_t end = CharacterStart(line, std::min(begin + width, line.size()));
  std::string out = begin > 0 ? "…" : "";
  out += Sanitize(line.substr(begin, end - begin));
  if (end < line.size()) out += line.size() > kMaxShownLine ? "… (" + std::to_string(line.size()) + " bytes)" : "…";
  return out;
}

}  // namespace forge
