// One line of a model's answer, as text. Knows no files.
//
//   2. `src/a.c:12` - closes it
//   ^^ ^                          a mark of a list, decoration
//       ^^^^^^^                   starts here
//              ^^^^^^^^^^^^^^^^   what follows the path
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge::keyword {

struct AnswerLine {
  std::string_view body;   // without the marks of a list
  std::string_view bare;   // also without the decoration before a path
  bool is_listed = false;  // has a mark: "-", "3.", "###"
};
AnswerLine ReadAnswerLine(std::string_view line);

// Says nothing: no letter and no number, or the fence of a code block.
bool IsEmptyLine(const AnswerLine& line);

// "No relevant files found", and nothing else.
bool SaysNone(const AnswerLine& line);

// Whether a path may end before `rest`.
bool EndsPath(std::string_view rest);

// Whether a path may begin after `before`.
bool BeginsPath(std::string_view before);

// Whether what follows a path makes the line an entry of a list: nothing, or a
// colon, a dash and the like. "src/a.c closes it" is a sentence.
bool MarksEntry(std::string_view rest);

// "`:12-14**: why" -> "why"
std::string_view ReasonIn(std::string_view rest);

// Where the next path of an enumeration would start: "`, `b.c`" -> "b.c`".
std::string_view NextInEnumeration(std::string_view rest);

// The path of a line of the form "path: reason", whatever that path is. Not
// `certain`: "Makefile: builds it" or "Note: it is slow".
struct NamedPath {
  std::string_view path;
  std::string_view rest;
  bool certain = false;
};
std::optional<NamedPath> PathOfEntry(std::string_view text);

// A word of a sentence that may be a path: "(src/a.c:12)." -> "src/a.c". `certain`:
// it can hardly be anything else.
struct PathWord {
  std::string_view path;
  bool certain = false;
};
std::vector<PathWord> PathWordsIn(std::string_view text);

}  // namespace forge::keyword
