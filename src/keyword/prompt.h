// The text that we send to the model (REQ-KWS-003).
//
//   system   its task, and that results are data
//   user     <results>
//            src/a.c:12:...
//            </results>
//            Search root: /home/me/project
//            Query: where are sessions closed?
//
// The results come first and the question last, where models pay most attention
// to it. A file may contain any text, also this closing mark. So we break every
// mark inside the results ("&lt;/results>"), and no text of a file can stand
// outside of them (H15).
#pragma once

#include <string>
#include <string_view>

#include "llm/provider.h"

namespace forge::keyword {

llm::Prompt MakePrompt(std::string_view results, std::string_view root, std::string_view query);

// "</results>", "<results>", "< / RESULTS" and the like, with "&lt;" for "<".
std::string BreakMarks(std::string_view text);

}  // namespace forge::keyword
