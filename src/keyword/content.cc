#include "keyword/content.h"

#include <chrono>
#include <cstdio>
#include <string_view>

#include "base/strings.h"
#include "base/utf8.h"
#include "keyword/grep_text.h"

namespace forge::keyword {
namespace {

constexpr std::string_view kNothing = "No relevant files found";

std::string Quoted(std::string_view text) { return "\"" + Echo(text) + "\""; }

// "2 files were": the beginning of a sentence.
std::string Were(std::uint64_t n, std::string_view noun) { return Count(n, noun) + (n == 1 ? " was" : " were"); }

std::string DroppedNote(const CheckedAnswer& answer) {
  const bool one = answer.dropped_count == 1;
  std::string note = Count(answer.dropped_count, "path");
  if (answer.is_prose) {
    note += std::string(" in the model's text ") + (one ? "is no file" : "are no files") + " of the searched folder: ";
  } else {
    note += std::string(" of the model's answer ") + (one ? "was" : "were") +
            " dropped, because there is no such file in the searched folder: ";
  }
  for (std::size_t i = 0; i < answer.dropped.size(); ++i) note += (i > 0 ? ", " : "") + answer.dropped[i];
  return note + (answer.dropped_count > answer.dropped.size() ? ", ..." : ".");
}

// "answered by fast (openai, qwen3); 1200 tokens in, 80 out; 2.1 s."
std::string ClosingNote(const KeywordSearchResponse& response) {
  std::string note = response.model.empty() ? "" : "answered by " + response.model + "; ";
  if (response.input_tokens || response.output_tokens) {
    const auto number = [](const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : "?"; };
    note += number(response.input_tokens) + " tokens in, " + number(response.output_tokens) + " out; ";
  }
  char text[64];
  if (response.cost_usd) {
    std::snprintf(text, sizeof text, "%.4f US dollars; ", *response.cost_usd);
    note += text;
  }
  std::snprintf(text, sizeof text, "%.1f s.", std::chrono::duration<double>(response.elapsed).count());
  return note + text;
}

std::string Listed(const std::vector<RelevantFile>& files) {
  std::string out;
  for (const RelevantFile& file : files) {
    out += OneLine(file.path) + (file.reason.empty() ? "" : ": " + file.reason) + "\n";
  }
  return out;
}

std::string QuotedLines(const std::string& text) {
  std::string out;
  for (const std::string_view line : Split(text, '\n')) out.append("> ").append(line).append("\n");
  return out;
}

}  // namespace

void AddAnswerNotes(const CheckedAnswer& answer, bool cut, std::vector<std::string>& notes) {
  if (answer.is_prose) {
    notes.emplace_back(answer.files.empty() && answer.without_hits.empty()
                           ? "the model answered with a text instead of a list of files, and the text names no file "
                             "of the searched folder."
                           : "the model answered with a text instead of a list; the files are those that the text "
                             "names, also where it says that one is not relevant.");
  }
  if (const std::size_t n = answer.without_hits.size(); n > 0) {
    notes.push_back(Count(n, "file") + (n == 1 ? " that the model named exists, but no term was found in it."
                                               : " that the model named exist, but no term was found in them."));
  }
  if (answer.dropped_count > 0) notes.push_back(DroppedNote(answer));
  if (answer.not_looked_up > 0) {
    notes.push_back("the model's answer names too many paths without a hit; " + Were(answer.not_looked_up, "path") +
                    " not looked for.");
  }
  if (answer.repeated > 0) {
    notes.push_back(Were(answer.repeated, "line") +
                    " left out of the model's answer, for a file that it had named before.");
  }
  if (answer.beyond > 0) {
    notes.push_back(Were(answer.beyond, "more file") + " named by the model and left out; a list has at most " +
                    std::to_string(kMaxListedFiles) + ".");
  }
  if (answer.clipped_reasons > 0) {
    notes.push_back(Were(answer.clipped_reasons, "reason") + " cut after " + std::to_string(kMaxReasonBytes) +
                    " bytes.");
  }
  if (answer.text_bytes_cut > 0) {
    notes.push_back("the model's text was cut after " + std::to_string(kMaxTextBytes) + " bytes; it has " +
                    Count(answer.text_bytes_cut, "more byte") + ".");
  }
  if (answer.answer_bytes_cut > 0) {
    notes.push_back("the model's answer was read up to " + std::to_string(kMaxAnswerBytes / 1024) + " KiB; " +
                    Were(answer.answer_bytes_cut, "more byte") + " left out.");
  }
  if (cut) notes.emplace_back("the model's answer was cut at max_output_tokens; there may be more files.");
}

void AddTermNotes(const Gathered& hits, std::vector<std::string>& notes) {
  for (const SkippedTerm& skipped : hits.skipped) {
    notes.push_back("the term " + Quoted(skipped.term) + " was skipped: " + skipped.reason + ".");
  }
  if (hits.text.empty()) {
    std::string list;
    for (const std::string& term : hits.used) list += (list.empty() ? "" : ", ") + Quoted(term);
    notes.push_back("nothing matches " + list + "; no model was asked.");
  }
  notes.insert(notes.end(), hits.notes.begin(), hits.notes.end());
}

void FinishContent(KeywordSearchResponse& response) {
  response.notes.push_back(ClosingNote(response));
  std::string& out = response.content;
  out = Listed(response.files);
  if (!response.files_without_hits.empty()) {
    out += (out.empty() ? "" : "\n") + std::string("Named by the model, without a hit:\n");
    out += Listed(response.files_without_hits);
  }
  if (!response.model_text.empty()) {
    out += out.empty() ? "The model wrote, unchecked:\n" : "\nThe model also wrote, unchecked:\n";
    out += QuotedLines(response.model_text);
  }
  if (out.empty()) out = std::string(kNothing) + "\n";
  out += "\n";
  for (const std::string& note : response.notes) out += "Note: " + note + "\n";
}

}  // namespace forge::keyword
