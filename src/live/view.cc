#include "live/view.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/strings.h"
#include "base/unicode.h"
#include "base/utf8.h"

namespace forge::live {
namespace {

constexpr std::array<std::string_view, 3> kKeyLines = {
    // the longest that fits
    "Enter open  Tab globs  Alt: c case  w word  f literal  z fuzzy  F1 keys  ^C quit",
    "Enter open  Tab globs  F1 keys  ^C quit",
    "F1 keys  ^C quit",
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kHelp = {{
    {"Enter", "open the editor at the line"},
    {"Up, Down, ^P, ^N", "choose a match"},
    {"PgUp, PgDn", "a page of matches"},
    {"Alt-J, Alt-K", "scroll the file"},
    {"Tab, Alt-G, F6", "type globs: *.h !old/"},
    {"Alt-C, F2", "smart case, respect, ignore"},
    {"Alt-W, F3", "whole words"},
    {"Alt-F, F4", "plain text"},
    {"Alt-Z, F5", "fuzzy: one or two wrong"},
    {"^U, ^W, ^K", "delete"},
    {"^Z", "pause"},
    {"Esc, ^C, ^Q", "quit"},
    {"", "Alt-C may also be typed as Esc C."},
}};

std::string WithCommas(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string Counted(std::size_t number, std::string_view noun) {
  const std::string counted = Count(number, noun);
  return WithCommas(number) + counted.substr(counted.find(' '));
}

class Painter {
 public:
  explicit Painter(const Model& model) : model_(model), layout_(model.layout()), grid_(model.size()) {}

  Grid Draw() && {
    DrawPattern();
    if (layout_.globs) DrawGlobs(*layout_.globs);
    DrawStatus();
    if (model_.help()) {
      DrawHelp();
    } else {
      DrawList();
      DrawPreview();
    }
    if (layout_.note) grid_.Write(Row(*layout_.note), model_.note(), Style::kDim);
    if (layout_.keys) DrawKeys(*layout_.keys);
    return std::move(grid_);
  }

 private:
  Span Row(std::size_t row, std::size_t column = 0) const { return {row, column, grid_.size().columns}; }

  void DrawPattern() {
    const std::string_view hint = model_.query().pattern.empty() ? "type to search" : "";
    DrawField(layout_.pattern, "> ", model_.query().pattern, !model_.in_globs(), hint);
  }

  void DrawGlobs(std::size_t row) { DrawField(row, "in: ", model_.query().globs, model_.in_globs(), "*.h !old/"); }

  // Scrolls to the side so that the cursor stays visible.
  void DrawField(std::size_t row, std::string_view label, const LineEditor& field, bool active, std::string_view hint) {
    const std::size_t start = grid_.Write(Row(row), label, active ? Style::kOn : Style::kDim);
    if (field.empty()) grid_.Write(Row(row, start), hint, Style::kDim);
    const std::size_t room = grid_.size().columns - std::min(start + 1, grid_.size().columns);
    const std::size_t first = FirstShown(field, room);
    const std::size_t end = std::min(field.characters().size(), first + grid_.size().columns);
    grid_.Write(Row(row, start), Part(field, first, end), Style::kField);
    if (active) grid_.cursor = {row, start + Width(Part(field, first, field.cursor()))};
  }

  // From the cursor to the left, because what was pasted may be very long.
  static std::size_t FirstShown(const LineEditor& field, std::size_t room) {
    std::size_t first = field.cursor();
    std::size_t width = 0;
    while (first > 0) {
      width += CellWidth(field.characters()[first - 1]);
      if (width > room) break;
      --first;
    }
    return first;
  }

  static std::string Part(const LineEditor& field, std::size_t begin, std::size_t end) {
    std::string out;
    for (std::size_t i = begin; i < end; ++i) AppendUtf8(field.characters()[i], out);
    return out;
  }

  void DrawStatus() {
    std::size_t column = 0;
    const auto mark = [&](bool shown, const std::string& text, Style style) {
      if (shown) column = grid_.Write(Row(layout_.status, column), "[" + text + "]", style) + 1;
    };
    const Query& query = model_.query();
    mark(query.case_mode == CaseMode::kSmart, "smart", Style::kDim);
    mark(query.case_mode == CaseMode::kSensitive, "Case", Style::kOn);
    mark(query.case_mode == CaseMode::kInsensitive, "ignore case", Style::kOn);
    mark(query.word, "word", Style::kOn);
    mark(query.literal, "literal", Style::kOn);
    mark(query.fuzzy > 0, "fuzzy " + std::to_string(query.fuzzy), Style::kOn);
    const bool failed = !model_.searching() && !model_.ending().error.empty();
    grid_.Write(Row(layout_.status, column), StatusText(), failed ? Style::kError : Style::kPlain);
  }

  std::string StatusText() const {
    const Ending& ending = model_.ending();
    const Results& found = model_.results();
    if (model_.query().pattern.empty()) return "";
    if (!model_.searching() && !ending.error.empty()) return Echo(ending.error);
    const std::string where = " in " + Counted(found.files(), "file");
    if (model_.searching()) return WithCommas(found.matches().size()) + where + ", searching";
    if (found.empty()) return "nothing found";
    const std::string time = ", " + std::to_string(ending.elapsed.count()) + " ms";
    if (ending.more) return "the first " + WithCommas(found.matches().size()) + where + time;
    const std::string lines = found.matches().size() == 1 ? "1 line" : Counted(found.matches().size(), "line");
    return lines + where + time;
  }

  void DrawHelp() {
    constexpr std::size_t kColumn = 18;
    std::size_t row = layout_.list.row;
    for (const auto& [key, meaning] : kHelp) {
      if (layout_.keys && row >= *layout_.keys) return;
      const std::size_t column = key.empty() ? 0 : kColumn;
      grid_.Write(Row(row), key, Style::kOn);
      grid_.Write(Row(row++, column), meaning, Style::kPlain);
    }
  }

  void DrawList() {
    const Area& area = layout_.list;
    const std::vector<Results::Row>& rows = model_.results().rows();
    for (std::size_t i = 0; i < area.rows && model_.top() + i < rows.size(); ++i) {
      const Results::Row& row = rows[model_.top() + i];
      const Match& match = model_.results().matches()[row.match];
      const Span span{area.row + i, area.column, area.end()};
      if (row.heading) {
        DrawPath(span, match.path);
      } else {
        DrawMatch(span, match);
      }
      if (model_.top() + i == model_.chosen_row()) grid_.Choose(span);
    }
  }

  // The end of a long path says more than its beginning.
  void DrawPath(Span span, const std::string& path) {
    const std::string shown = ShownName(path);
    const std::size_t room = span.end - span.column;
    std::size_t cut = 0;
    while (cut < shown.size() && Width(std::string_view(shown).substr(cut)) + (cut > 0 ? 1 : 0) > room)
      cut += DecodeOne(std::string_view(shown).substr(cut)).size;
    if (cut > 0) span.column = grid_.Write(span, "\u2026", Style::kDim);
    grid_.Write(span, std::string_view(shown).substr(cut), Style::kPath);
  }

  void DrawMatch(Span span, const Match& match) {
    span.column = grid_.Write(span, "  " + std::to_string(match.line) + ": ", Style::kNumber);
    std::size_t begin = std::min(match.text.find_first_not_of(" \t"), match.text.size());
    const std::size_t room = span.end - std::min(span.column, span.end);
    if (!match.matches.empty()) begin = StartToShow(match, begin, room);
    if (begin > 0 && match.text[begin - 1] != ' ' && match.text[begin - 1] != '\t') {
      span.column = grid_.Write(span, "\u2026", Style::kDim);
    }
    DrawFrom(span, match.text, match.matches, begin);
  }

  // So far to the right that the first match is visible.
  static std::size_t StartToShow(const Match& match, std::size_t begin, std::size_t room) {
    const Bytes& first = match.matches.front();
    const std::string_view text = match.text;
    if (first.begin <= begin) return std::min(begin, first.begin);
    if (Width(text.substr(begin, first.end - begin)) <= room) return begin;
    std::size_t width = Width(text.substr(begin, first.begin - begin));
    while (begin < first.begin && width > room / 3) {
      const std::size_t size = DecodeOne(text.substr(begin)).size;
      width -= std::min(width, Width(text.substr(begin, size)));
      begin += size;
    }
    // A tab took less than that.
    while (begin < first.begin && Width(text.substr(begin, first.begin - begin)) > room / 3) {
      begin += DecodeOne(text.substr(begin)).size;
    }
    return begin;
  }

  void DrawFrom(Span span, const std::string& text, const std::vector<Bytes>& matches, std::size_t begin) {
    std::vector<Bytes> moved;
    for (const Bytes& part : matches) {
      if (part.end > begin) moved.push_back({part.begin - std::min(part.begin, begin), part.end - begin});
    }
    grid_.Write(span, std::string_view(text).substr(begin), Style::kPlain, moved);
  }

  void DrawPreview() {
    const Area& area = layout_.preview;
    if (area.rows == 0) return;
    DrawBorder(area);
    if (model_.chosen() == nullptr) return;
    const std::vector<Match>& lines = model_.preview();
    const std::size_t shown = std::min(area.rows, lines.size() - std::min(model_.preview_top(), lines.size()));
    if (shown == 0) return;
    const std::size_t digits = std::to_string(lines[model_.preview_top() + shown - 1].line).size();
    for (std::size_t i = 0; i < shown; ++i) {
      DrawPreviewLine({area.row + i, area.column, area.end()}, lines[model_.preview_top() + i], digits);
    }
  }

  void DrawBorder(const Area& area) {
    if (!layout_.beside) {
      for (std::size_t column = 0; column < area.columns; ++column) {
        grid_.Write(Row(area.row - 1, column), "\u2500", Style::kDim);
      }
      return;
    }
    for (std::size_t row = 0; row < area.rows; ++row) {
      grid_.Write(Row(area.row + row, area.column - 1), "\u2502", Style::kDim);
    }
  }

  void DrawPreviewLine(Span span, const Match& line, std::size_t digits) {
    const std::string number = std::to_string(line.line);
    const std::size_t column =
        grid_.Write(span, std::string(digits - std::min(digits, number.size()), ' ') + number + " ", Style::kNumber);
    grid_.Write({span.row, column, span.end}, line.text, Style::kPlain, line.matches);
    if (line.line == model_.preview_line()) grid_.Choose(span);
  }

  void DrawKeys(std::size_t row) {
    for (const std::string_view line : kKeyLines) {
      if (Width(line) > grid_.size().columns) continue;
      grid_.Write(Row(row), line, Style::kDim);
      return;
    }
  }

  const Model& model_;
  const Layout layout_;
  Grid grid_;
};

}  // namespace

Grid Draw(const Model& model) { return Painter(model).Draw(); }

}  // namespace forge::live
