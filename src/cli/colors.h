// The colours of results: `--colors match:fg:blue`.
//
//   TYPE:fg:COLOR   TYPE:bg:COLOR   TYPE:style:STYLE   TYPE:none
//
// TYPE is path, line, column or match. COLOR is a name, a number from 0 to 255
// or three of them as R,G,B. STYLE is bold, nobold, intense, nointense,
// underline or nounderline. Same words and same escape sequences as ripgrep.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace forge::cli {

struct ColorSpec {
  bool bold = false;
  bool underline = false;
  bool intense = false;
  std::string foreground = {};  // between "\x1B[" and "m": "31", "38;5;9"
  std::string background = {};

  friend bool operator==(const ColorSpec&, const ColorSpec&) = default;
};

struct Colors {
  ColorSpec path = {.foreground = "35"};
  ColorSpec line = {.foreground = "32"};
  ColorSpec column = {};
  ColorSpec match = {.bold = true, .foreground = "31"};

  // Changes one of them. What is wrong with `spec`, if something is.
  std::optional<std::string> Change(std::string_view spec);
};

// `text` between the sequences that switch the colour on and off.
void AppendColored(const ColorSpec& spec, std::string_view text, std::string& out);

}  // namespace forge::cli
