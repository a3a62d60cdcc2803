// The text of an answer: what a model reads.
//
//   src/a.c
//   12:int foo(void)
//
//   1 match in 1 file.
//
// First what was repaired, then the matches, then how many there are and how to
// see the others, then what was not searched. Each sentence of advice names a
// field of this tool, and works.
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "agent/find.h"

namespace forge::agent {

// What was not searched and why.
struct Note {
  std::string text;
  bool standing = false;  // about the project more than about this call: said once in a session
};
std::vector<Note> NotesFor(const Call& call, const Found& found, const SearchConfig& config);

struct TextParts {
  std::vector<std::string> remarks = {};  // what was repaired
  std::vector<std::string> notes = {};
  std::size_t room = 0;  // bytes
};
std::string TextFor(const Call& call, const Found& found, const TextParts& parts);

}  // namespace forge::agent
