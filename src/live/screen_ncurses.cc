// Functions instead of macros, which would replace words of ours.
#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "live/screen.h"
#include "os/terminal.h"

namespace forge::live {
namespace {

constexpr int kEscapeDelay = 50;  // ms in which the rest of a key's sequence arrives, over ssh too
constexpr int kPasteBegins = KEY_MAX + 1;
constexpr int kPasteEnds = KEY_MAX + 2;
constexpr wint_t kEscape = 27;

// Text is UTF-8 on nearly every terminal, also where LANG is not set, as in
// containers.
void UseUtf8() {
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
}

void Send(const char* sequence) {
  std::fputs(sequence, stdout);
  std::fflush(stdout);
}

// The keys that have a name.
constexpr std::pair<int, Key::Type> kNamed[] = {
    {KEY_ENTER, Key::Type::kEnter},      {KEY_BACKSPACE, Key::Type::kBackspace},
    {KEY_DC, Key::Type::kDelete},        {KEY_LEFT, Key::Type::kLeft},
    {KEY_RIGHT, Key::Type::kRight},      {KEY_HOME, Key::Type::kHome},
    {KEY_END, Key::Type::kEnd},          {KEY_UP, Key::Type::kUp},
    {KEY_DOWN, Key::Type::kDown},        {KEY_PPAGE, Key::Type::kPageUp},
    {KEY_NPAGE, Key::Type::kPageDown},   {KEY_SR, Key::Type::kShiftUp},
    {KEY_SF, Key::Type::kShiftDown},     {kPasteBegins, Key::Type::kPasteBegins},
    {kPasteEnds, Key::Type::kPasteEnds}, {KEY_RESIZE, Key::Type::kResized},
};

Key NamedKey(int code) {
  if (code > KEY_F(0) && code <= KEY_F(12)) return {Key::Type::kFunction, static_cast<char32_t>(code - KEY_F(0))};
  for (const auto& [name, type] : kNamed) {
    if (name == code) return {type};
  }
  return {};
}

Key CharacterKey(wint_t c) {
  switch (c) {
    case '\r':
    case '\n': return {Key::Type::kEnter};
    case '\t': return {Key::Type::kTab};
    case 0x08:
    case 0x7F: return {Key::Type::kBackspace};
    default: break;
  }
  if (c > 0 && c < 27) return {Key::Type::kControl, static_cast<char32_t>(c - 1 + 'a')};
  return {Key::Type::kCharacter, static_cast<char32_t>(c)};
}

class CursesScreen final : public Screen {
 public:
  CursesScreen(SCREEN* screen, bool color) : screen_(screen), color_(color && has_colors()) {
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(kEscapeDelay);
    define_key("\033[200~", kPasteBegins);
    define_key("\033[201~", kPasteEnds);
    if (color_) DefineColors();
    Send("\033[?2004h");  // tell us what is pasted
  }

  ~CursesScreen() override {
    Send("\033[?2004l");
    endwin();
    delscreen(screen_);
  }

  Size size() override {
    if (const auto now = os::SizeOfTerminal(1)) {
      if (is_term_resized(static_cast<int>(now->rows), static_cast<int>(now->columns))) {
        resizeterm(static_cast<int>(now->rows), static_cast<int>(now->columns));
      }
    }
    return {static_cast<std::size_t>(COLS), static_cast<std::size_t>(LINES)};
  }

  void Show(const Grid& grid) override {
    for (std::size_t row = 0; row < grid.size().rows; ++row) ShowRow(grid, row);
    wmove(stdscr, static_cast<int>(std::min(grid.cursor.row, grid.size().rows - 1)),
          static_cast<int>(std::min(grid.cursor.column, grid.size().columns - 1)));
    wrefresh(stdscr);
  }

  std::optional<Key> NextKey() override {
    wint_t code = 0;
    const int kind = wget_wch(stdscr, &code);
    if (kind == ERR) return std::nullopt;
    if (kind == KEY_CODE_YES) return NamedKey(static_cast<int>(code));
    return code == kEscape ? AfterEscape() : CharacterKey(code);
  }

  void Leave() override {
    Send("\033[?2004l");
    endwin();
  }

  void Return() override {
    clearok(curscr, TRUE);
    wrefresh(stdscr);
    Send("\033[?2004h");
  }

  void Suspend() override {
    Leave();
    kill(0, SIGTSTP);  // the whole job, also a program that started this one, such as npx
    Return();
  }

 private:
  enum Pair : short { kMagenta = 1, kGreen, kRed, kCyan };

  static void DefineColors() {
    start_color();
    use_default_colors();
    init_pair(kMagenta, COLOR_MAGENTA, -1);
    init_pair(kGreen, COLOR_GREEN, -1);
    init_pair(kRed, COLOR_RED, -1);
    init_pair(kCyan, COLOR_CYAN, -1);
  }

  // A letter right after Escape is that letter with Alt.
  static Key AfterEscape() {
    wint_t code = 0;
    const int kind = wget_wch(stdscr, &code);
    if (kind == ERR) return {Key::Type::kEscape};
    if (kind == KEY_CODE_YES) return NamedKey(static_cast<int>(code));
    const wint_t letter = code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code;
    return {Key::Type::kAlt, static_cast<char32_t>(letter)};
  }

  std::pair<attr_t, short> LookOf(const Cell& cell) const {
    const attr_t chosen = cell.chosen ? A_REVERSE : A_NORMAL;
    switch (cell.style) {
      case Style::kPlain:
      case Style::kField: return {chosen, 0};
      case Style::kDim: return {chosen | A_DIM, 0};
      case Style::kOn: return {chosen | A_BOLD, color_ ? kCyan : 0};
      case Style::kPath: return {chosen, color_ ? kMagenta : 0};
      case Style::kNumber: return {chosen, color_ ? kGreen : 0};
      case Style::kMatch: return {chosen | A_BOLD | (color_ ? 0 : A_UNDERLINE), color_ ? kRed : 0};
      case Style::kError: return {chosen, color_ ? kRed : 0};
    }
    return {chosen, 0};
  }

  void ShowRow(const Grid& grid, std::size_t row) const {
    wmove(stdscr, static_cast<int>(row), 0);
    for (std::size_t column = 0; column < grid.size().columns; ++column) {
      const Cell& cell = grid.at(row, column);
      if (cell.character == 0) continue;
      const wchar_t text[] = {static_cast<wchar_t>(cell.character), 0};
      const auto [attributes, pair] = LookOf(cell);
      cchar_t shown;
      setcchar(&shown, text, attributes, pair, nullptr);
      mvwadd_wch(stdscr, static_cast<int>(row), static_cast<int>(column), &shown);
    }
  }

  SCREEN* const screen_;
  const bool color_;
};

}  // namespace

Result<std::unique_ptr<Screen>> OpenScreen(const ScreenOptions& options) {
  UseUtf8();
  SCREEN* screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr) return ExecutionFailed("this terminal is not known; TERM names another one, such as xterm");
  if (tigetstr("cup") == nullptr) {
    endwin();
    delscreen(screen);
    return ExecutionFailed("this terminal cannot place a cursor");
  }
  return std::unique_ptr<Screen>(std::make_unique<CursesScreen>(screen, options.color));
}

}  // namespace forge::live
