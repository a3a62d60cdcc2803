// One line of text that is being typed, and the place of the cursor in it.
#pragma once

#include <cstddef>
#include <string>

#include "live/key.h"

namespace forge::live {

class LineEditor {
 public:
  LineEditor() = default;
  explicit LineEditor(const std::string& text);  // UTF-8; the cursor is at its end

  // True if the key was for this line. Letters, the arrows to both sides, and the
  // keys of a shell: ^A ^E ^B ^F ^H ^K ^U ^W.
  bool Take(const Key& key);

  std::string text() const;
  const std::u32string& characters() const { return text_; }
  std::size_t cursor() const { return cursor_; }  // in characters
  bool empty() const { return text_.empty(); }

 private:
  bool TakeControl(char32_t letter);
  void Insert(char32_t character);
  void Erase(std::size_t begin, std::size_t end);
  std::size_t StartOfWord() const;

  std::u32string text_;
  std::size_t cursor_ = 0;
};

}  // namespace forge::live
