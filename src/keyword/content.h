// The notes of a keyword search, and its answer as text.
//
//   /home/me/src/a.c: closes it
//
//   Named by the model, without a hit:
//   /home/me/docs/b.md: describes it
//
//   The model also wrote, unchecked:
//   > Sessions are closed by a timer, too.
//
//   Note: ...
//
// Every line of the model's text is quoted, so that none can pass for a line of
// ours.
#pragma once

#include <string>
#include <vector>

#include "forge/keyword.h"
#include "keyword/answer.h"
#include "keyword/stage.h"

namespace forge::keyword {

// What became of the model's answer. `cut`: the model ran into max_output_tokens.
void AddAnswerNotes(const CheckedAnswer& answer, bool cut, std::vector<std::string>& notes);

// What became of the terms.
void AddTermNotes(const Gathered& hits, std::vector<std::string>& notes);

// Adds the closing note, which needs the elapsed time, and fills `content`.
void FinishContent(KeywordSearchResponse& response);

}  // namespace forge::keyword
