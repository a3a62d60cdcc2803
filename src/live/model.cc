#include "live/model.h"

#include <algorithm>
#include <utility>

namespace forge::live {
namespace {

std::size_t Shifted(std::size_t value, std::ptrdiff_t by, std::size_t most) {
  const auto moved = static_cast<std::ptrdiff_t>(value) + by;
  return std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(moved, 0)), most);
}

}  // namespace

Layout Model::layout() const {
  return LayoutFor(size_, {.globs = in_globs_ || !query_.globs.empty(), .note = !note().empty()});
}

std::string Model::note() const {
  if (!note_.empty()) return note_;
  if (ending_.notes.empty()) return "";
  const std::size_t more = ending_.notes.size() - 1;
  return ending_.notes.front() + (more == 0 ? "" : " (and " + std::to_string(more) + " more)");
}

Action Model::Take(const Key& key) {
  if (pasting_) return TakePasted(key);
  if (std::exchange(help_, false) && key.type != Key::Type::kControl) return Action::kNone;
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(layout().list.rows, 2) - 1);
  switch (key.type) {
    case Key::Type::kEnter: return chosen() == nullptr ? Action::kNone : Action::kOpen;
    case Key::Type::kEscape: return Escape();
    case Key::Type::kTab: return SwitchField();
    case Key::Type::kUp: return Move(-1);
    case Key::Type::kDown: return Move(1);
    case Key::Type::kPageUp: return Move(-page);
    case Key::Type::kPageDown: return Move(page);
    case Key::Type::kShiftUp: ScrollPreview(-1); return Action::kNone;
    case Key::Type::kShiftDown: ScrollPreview(1); return Action::kNone;
    case Key::Type::kAlt: return TakeOption(key.character);
    case Key::Type::kFunction: return TakeFunction(key.character);
    case Key::Type::kControl: return TakeControl(key.character, key);
    case Key::Type::kPasteBegins: pasting_ = true; return Action::kNone;
    default: return Edit(key);
  }
}

Action Model::TakeControl(char32_t letter, const Key& key) {
  switch (letter) {
    case 'c':
    case 'q': return Action::kQuit;
    case 'd': return query_.pattern.empty() ? Action::kQuit : Edit({Key::Type::kDelete});
    case 'z': return Action::kSuspend;
    case 'p': return Move(-1);
    case 'n': return Move(1);
    default: return Edit(key);
  }
}

Action Model::TakeOption(char32_t letter) {
  constexpr std::ptrdiff_t kLines = 5;
  switch (letter) {
    case 'c': query_.ChangeCase(); return Action::kSearch;
    case 'w': query_.word = !query_.word; return Action::kSearch;
    case 'f': query_.literal = !query_.literal; return Action::kSearch;
    case 'z': query_.ChangeFuzzy(); return Action::kSearch;
    case 'g': return SwitchField();
    case 'j': ScrollPreview(kLines); return Action::kNone;
    case 'k': ScrollPreview(-kLines); return Action::kNone;
    default: return Action::kNone;
  }
}

// For terminals without Alt.
Action Model::TakeFunction(char32_t number) {
  switch (number) {
    case 1: help_ = true; return Action::kNone;
    case 2: return TakeOption('c');
    case 3: return TakeOption('w');
    case 4: return TakeOption('f');
    case 5: return TakeOption('z');
    case 6: return TakeOption('g');
    default: return Action::kNone;
  }
}

// Only the first line: the end of a line in what is pasted must not open an editor.
Action Model::TakePasted(const Key& key) {
  if (key.type == Key::Type::kPasteEnds) {
    pasting_ = pasted_line_ = false;
    return Action::kSearch;
  }
  pasted_line_ |= key.type == Key::Type::kEnter;
  if (key.type == Key::Type::kCharacter && !pasted_line_) Edit(key);
  if (key.type == Key::Type::kTab && !pasted_line_) Edit({Key::Type::kCharacter, U' '});
  return Action::kNone;
}

Action Model::Edit(const Key& key) {
  LineEditor& field = in_globs_ ? query_.globs : query_.pattern;
  const std::u32string before = field.characters();
  field.Take(key);
  return field.characters() == before ? Action::kNone : Action::kSearch;
}

Action Model::Move(std::ptrdiff_t by) {
  if (results_.empty()) return Action::kNone;
  const std::size_t to = Shifted(chosen_, by, results_.matches().size() - 1);
  wanted_ = to;
  if (std::exchange(chosen_, to) == to) return Action::kNone;
  KeepChosenVisible();
  return Action::kPreview;
}

Action Model::SwitchField() {
  in_globs_ = !in_globs_;
  KeepChosenVisible();
  return Action::kNone;
}

Action Model::Escape() { return in_globs_ ? SwitchField() : Action::kQuit; }

void Model::Resize(Size size) {
  size_ = size;
  KeepChosenVisible();
  CentrePreview();
}

void Model::BeginSearch(bool keep_choice) {
  note_.clear();
  wanted_ = keep_choice ? chosen_ : 0;
  stale_ = true;
  searching_ = !query_.pattern.empty();
  if (searching_) return;
  Replace();
  ending_ = {};
}

void Model::AddMatches(std::vector<Match> matches) {
  if (stale_) Replace();
  for (Match& match : matches) results_.Add(std::move(match));
  if (!results_.empty()) chosen_ = std::min(wanted_, results_.matches().size() - 1);
  KeepChosenVisible();
}

void Model::EndSearch(Ending ending) {
  if (stale_) Replace();
  searching_ = false;
  ending_ = std::move(ending);
  KeepChosenVisible();  // a note takes a row
}

void Model::Replace() {
  stale_ = false;
  results_.Clear();
  chosen_ = top_ = 0;
  ending_ = {};
}

void Model::ShowPreview(std::vector<Match> lines, std::uint64_t chosen_line) {
  preview_ = std::move(lines);
  preview_line_ = chosen_line;
  CentrePreview();
}

// A third of the file's lines stands above the match.
void Model::CentrePreview() {
  const auto before =
      std::count_if(preview_.begin(), preview_.end(), [&](const Match& line) { return line.line < preview_line_; });
  preview_top_ = 0;
  ScrollPreview(before - static_cast<std::ptrdiff_t>(layout().preview.rows / 3));
}

void Model::ScrollPreview(std::ptrdiff_t by) {
  const std::size_t rows = layout().preview.rows;
  preview_top_ = Shifted(preview_top_, by, preview_.size() - std::min(rows, preview_.size()));
}

// With the name of its file, if that is the row above it.
void Model::KeepChosenVisible() {
  if (results_.empty()) return;
  const std::size_t rows = std::max<std::size_t>(layout().list.rows, 1);
  const std::size_t row = chosen_row();
  const std::size_t first = row > 0 && results_.rows()[row - 1].heading && rows > 1 ? row - 1 : row;
  top_ = std::min(top_, first);
  if (row >= top_ + rows) top_ = row - rows + 1;
}

}  // namespace forge::live
