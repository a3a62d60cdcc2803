#include "live/line_editor.h"

#include <algorithm>

#include "base/utf8.h"

namespace forge::live {
namespace {

bool IsControl(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

}  // namespace

LineEditor::LineEditor(const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const Decoded decoded = DecodeOne(rest);
    Insert(decoded.code);
    rest.remove_prefix(decoded.size);
  }
}

bool LineEditor::Take(const Key& key) {
  switch (key.type) {
    case Key::Type::kCharacter: Insert(key.character); return true;
    case Key::Type::kControl: return TakeControl(key.character);
    case Key::Type::kBackspace: Erase(cursor_ - std::min<std::size_t>(cursor_, 1), cursor_); return true;
    case Key::Type::kDelete: Erase(cursor_, cursor_ + 1); return true;
    case Key::Type::kLeft: cursor_ -= std::min<std::size_t>(cursor_, 1); return true;
    case Key::Type::kRight: cursor_ = std::min(cursor_ + 1, text_.size()); return true;
    case Key::Type::kHome: cursor_ = 0; return true;
    case Key::Type::kEnd: cursor_ = text_.size(); return true;
    default: return false;
  }
}

bool LineEditor::TakeControl(char32_t letter) {
  switch (letter) {
    case 'a': return Take({Key::Type::kHome});
    case 'e': return Take({Key::Type::kEnd});
    case 'b': return Take({Key::Type::kLeft});
    case 'f': return Take({Key::Type::kRight});
    case 'h': return Take({Key::Type::kBackspace});
    case 'k': Erase(cursor_, text_.size()); return true;
    case 'u': Erase(0, cursor_); return true;
    case 'w': Erase(StartOfWord(), cursor_); return true;
    default: return false;
  }
}

std::string LineEditor::text() const {
  std::string out;
  for (const char32_t c : text_) AppendUtf8(c, out);
  return out;
}

void LineEditor::Insert(char32_t character) {
  if (IsControl(character)) return;
  text_.insert(cursor_++, 1, character);
}

void LineEditor::Erase(std::size_t begin, std::size_t end) {
  text_.erase(begin, end - begin);
  cursor_ = std::min(begin, text_.size());
}

std::size_t LineEditor::StartOfWord() const {
  std::size_t at = cursor_;
  while (at > 0 && text_[at - 1] == ' ') --at;
  while (at > 0 && text_[at - 1] != ' ') --at;
  return at;
}

}  // namespace forge::live
