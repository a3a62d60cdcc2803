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

void AppendClipped(std::string_view line, std::size_t match, std::size_t width, std::string& out) {
  if (line.size() <= width) return AppendSanitized(line, out);
  match = std::min(match, line.size());
  const std::size_t before = width / 3;
  std::size_t begin = match > before ? match - before : 0;
  begin = std::min(begin, line.size() - width);
  const std::size_t end = CharacterStart(line, begin + width);
  begin = CharacterStart(line, begin);
  if (begin > 0) out += "…";
  AppendSanitized(line.substr(begin, end - begin), out);
  if (end < line.size()) out += line.size() > kMaxShownLine ? "… (" + std::to_string(line.size()) + " bytes)" : "…";
}

}  // namespace

std::size_t ShownPlace(const Event& event) {
  if (event.column == 0) return 0;
  const std::string_view line = event.line;
  const std::size_t column = std::min<std::uint64_t>(event.column - 1, line.size());
  const std::size_t at = line.find(std::string_view(event.match_text), column);
  return at == std::string_view::npos ? column : at;
}

std::string ClipLine(const Event& event, std::size_t width) { return ClipLine(event.line, ShownPlace(event), width); }

std::string ClipLine(std::string_view line, std::size_t match, std::size_t width) {
  std::string out;
  AppendClipped(line, match, width, out);
  return out;
}

void AppendClipped(const Event& event, std::size_t width, std::string& out) {
  AppendClipped(event.line, event.line.size() <= width ? 0 : ShownPlace(event), width, out);
}

}  // namespace forge
