// A key as the terminal reports it, or a character of pasted text.
#pragma once

namespace forge::live {

struct Key {
  enum class Type {
    kCharacter,  // `character`
    kAlt,        // Alt and `character`
    kControl,    // Control and `character`, a small letter
    kEnter,
    kEscape,
    kTab,
    kBackspace,
    kDelete,
    kLeft,
    kRight,
    kHome,
    kEnd,
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kShiftUp,
    kShiftDown,
    kFunction,  // F1: `character` is 1
    kPasteBegins,
    kPasteEnds,
    kResized,
    kOther,  // one that we do not know
  };

  Type type = Type::kOther;
  char32_t character = 0;

  friend bool operator==(const Key&, const Key&) = default;
};

}  // namespace forge::live
