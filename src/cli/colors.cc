#include "cli/colors.h"

#include <array>
#include <charconv>

#include "base/strings.h"

namespace forge::cli {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"black", "red",     "green", "yellow",
                                                    "blue",  "magenta", "cyan",  "white"};

std::optional<int> Number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  const bool good = error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= 255;
  return good ? std::optional(number) : std::nullopt;
}

// The parameters of the escape sequence; `layer` is 3 or 4.
std::optional<std::string> Code(std::string_view color, int layer) {
  const std::string base = std::to_string(layer);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == color) return base + std::to_string(i);
  }
  const std::vector<std::string_view> parts = Split(color, ',');
  if (parts.size() != 1 && parts.size() != 3) return std::nullopt;
  std::string code = base + (parts.size() == 1 ? "8;5" : "8;2");
  for (const std::string_view part : parts) {
    const auto number = Number(part);
    if (!number) return std::nullopt;
    code += ";" + std::to_string(*number);
  }
  return code;
}

bool SetStyle(std::string_view style, ColorSpec& spec) {
  const bool on = !style.starts_with("no");
  if (!on) style.remove_prefix(2);
  bool* const flag = style == "bold"        ? &spec.bold
                     : style == "underline" ? &spec.underline
                     : style == "intense"   ? &spec.intense
                                            : nullptr;
  if (flag == nullptr) return false;
  *flag = on;
  return true;
}

bool SetColor(std::string_view color, int layer, std::string& out) {
  const auto code = Code(color, layer);
  if (!code) return false;
  out = *code;
  return true;
}

}  // namespace

std::optional<std::string> Colors::Change(std::string_view spec) {
  const std::vector<std::string_view> parts = Split(spec, ':');
  const std::string_view type = parts.front();
  ColorSpec* const one = type == "path"     ? &path
                         : type == "line"   ? &line
                         : type == "column" ? &column
                         : type == "match"  ? &match
                                            : nullptr;
  if (one == nullptr) return "\"" + std::string(type) + "\" is none of path, line, column and match";
  if (parts.size() == 2 && parts[1] == "none") {
    *one = {};
    return std::nullopt;
  }
  if (parts.size() != 3) return "write it as TYPE:fg:COLOR, TYPE:bg:COLOR, TYPE:style:STYLE or TYPE:none";
  const bool good = parts[1] == "fg"      ? SetColor(parts[2], 3, one->foreground)
                    : parts[1] == "bg"    ? SetColor(parts[2], 4, one->background)
                    : parts[1] == "style" ? SetStyle(parts[2], *one)
                                          : false;
  if (good) return std::nullopt;
  return "\"" + std::string(parts[1]) + ":" + std::string(parts[2]) +
         "\" is not understood; examples are fg:red, bg:0,0,128 and style:bold";
}

void AppendColored(const ColorSpec& spec, std::string_view text, std::string& out) {
  out += "\x1B[0m";
  if (spec.bold) out += "\x1B[1m";
  if (spec.underline) out += "\x1B[4m";
  for (const std::string& color : {spec.foreground, spec.background}) {
    if (color.empty()) continue;
    // Intense colours are those from 8 on.
    const bool name = color.size() == 2;
    out += spec.intense && name ? "\x1B[" + color.substr(0, 1) + "8;5;" + std::to_string(color[1] - '0' + 8) + "m"
                                : "\x1B[" + color + "m";
  }
  out.append(text).append("\x1B[0m");
}

}  // namespace forge::cli
