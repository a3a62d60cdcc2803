// Unicode questions that need tables (utf8proc).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forge {

// The sort key of a path or of one path component: lossy UTF-8, then NFC
// (Appendix A). '/' neither composes with nor reorders across its neighbours,
// so the key of a path is the join of the keys of its components.
std::string SortKey(std::string_view raw);

// NFC of valid UTF-8.
std::string Nfc(std::string_view text);

// Simple case folding: the mappings C and S of CaseFolding.txt, one character
// to one, of no locale.
char32_t SimpleFold(char32_t c);

// True if `text` has nothing but Unicode White_Space (FR-LS-VAL-01).
bool IsBlank(std::string_view text);

// \w as PCRE2 has it with UCP: letters, numbers, the underscore.
bool IsWordCharacter(char32_t c);

// How many columns of a terminal the character takes: 0, 1 or 2. A control
// character takes none.
std::size_t CellWidth(char32_t c);

// The Unicode version of the tables, as "15.0.0".
std::string_view UnicodeVersion();

}  // namespace forge
