#include "base/strings.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "base/utf8.h"

namespace forge {
namespace {

bool IsControl(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

bool SeparatesLines(char32_t c) { return c == 0x2028 || c == 0x2029; }

// How many bytes `text` begins with that are printable ASCII: most of any text.
std::size_t CountPlain(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return static_cast<std::size_t>(end - text.begin());
}

// The bidirectional controls of Unicode.
bool ChangesDirection(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

bool MisleadsInName(char32_t c) { return IsControl(c) || SeparatesLines(c) || ChangesDirection(c); }

// One of the characters above.
std::string Escaped(char32_t c) {
  switch (c) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  std::string out = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += "0123456789abcdef"[(c >> shift) & 0xF];
  return out;
}

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string Sanitize(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  AppendSanitized(text, out);
  return out;
}

void AppendSanitized(std::string_view text, std::string& out) {
  while (true) {
    const std::size_t plain = CountPlain(text);
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Decoded d = DecodeOne(text);
    if (SeparatesLines(d.code)) {
      out += ' ';
    } else if (d.code == '\n' || d.code == '\t' || !IsControl(d.code)) {
      out.append(text.substr(0, d.size));
    }
    text.remove_prefix(d.size);
  }
}

std::string ShownName(std::string_view name) {
  // Most names, and one may be asked for with every line of an answer.
  if (CountPlain(name) == name.size()) return std::string(name);
  std::string out;
  out.reserve(name.size());
  bool escaped = false;
  for (std::string_view rest = name; !rest.empty();) {
    const Decoded d = DecodeOne(rest);
    rest.remove_prefix(d.size);
    const bool misleads = MisleadsInName(d.code);
    if (misleads && !escaped) {
      // The first of them: the backslashes before it count, too.
      escaped = true;
      for (std::size_t at = 0; (at = out.find('\\', at)) != std::string::npos; at += 2) out.insert(at, 1, '\\');
    }
    if (misleads) {
      out += Escaped(d.code);
    } else if (escaped && d.code == '\\') {
      out += "\\\\";
    } else {
      AppendUtf8(d.code, out);
    }
  }
  return out;
}

std::string Echo(std::string_view text, std::size_t most) {
  std::string out = ShownName(text.substr(0, most));
  if (text.size() <= most && out.size() <= most) return out;
  // Escapes are longer than what they stand for. Not in the middle of a character.
  std::size_t end = std::min(most, out.size());
  while (end > 0 && end < out.size() && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
  if (out.size() <= most && out.ends_with("\xEF\xBF\xBD")) end -= 3;  // the cut made it
  return out.substr(0, end) + "...";
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string Count(std::uint64_t n, std::string_view noun) {
  std::string out = std::to_string(n) + " ";
  out.append(noun);
  if (n != 1) out.append(noun.ends_with("ch") ? "es" : "s");
  return out;
}

bool IsPlainText(std::string_view pattern) {
  return pattern.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

std::string_view NearestWord(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  constexpr std::size_t kShort = 4;
  const auto letters = std::count_if(word.begin(), word.end(), [](char c) { return c != '-'; });
  std::size_t best_distance = static_cast<std::size_t>(letters) <= kShort ? 2 : 3;
  for (const std::string_view candidate : known) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace forge
