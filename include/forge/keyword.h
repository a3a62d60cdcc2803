// The keyword_search tool as types: a question and search terms in, a ranked
// list of files out.
//
// The engine searches the local tree for the terms. It sends what it finds,
// with ten lines around each match, to a language model, which picks the files
// that help with the question. It sends nothing that a request of Search with the
// same roots could not show, and with `dry_run` it sends nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forge/cancel.h"
#include "forge/result.h"
#include "forge/search.h"

namespace forge {

struct KeywordSearchRequest {
  std::string query = {};
  std::vector<std::string> search_terms = {};  // regular expressions, most important first
  // Not fields of the tool's JSON:
  std::string model = {};  // the name of one; empty: the configured or preferred one
  bool dry_run = false;    // prepare everything, send nothing
};

// BadArgs names the field: no field may be blank (H1).
Status Validate(const KeywordSearchRequest& request);

struct RelevantFile {
  std::string path;    // absolute
  std::string reason;  // in the model's words
};

struct SkippedTerm {
  std::string term;
  std::string reason;
};

// What would be sent.
struct KeywordPreview {
  std::string url;
  std::vector<std::string> headers;  // "Name: value"; a key is not shown
  std::string body;                  // the exact bytes
};

struct KeywordSearchResponse {
  std::string query;
  std::string root;                              // what was searched; absolute
  std::vector<RelevantFile> files;               // most relevant first; a term was found in each
  std::vector<RelevantFile> files_without_hits;  // the model named them, they exist, but no term was found in them
  // What the model wrote beside its list, or instead of one; not
  // checked. Printable, perhaps of several lines; a note says if it was cut.
  std::string model_text;
  std::vector<std::string> terms_used;
  std::vector<SkippedTerm> terms_skipped;
  std::vector<FileError> errors;
  std::string model;                         // "NAME (PROVIDER, MODEL)"; empty if none was asked
  std::optional<std::int64_t> input_tokens;  // as the provider says
  std::optional<std::int64_t> output_tokens;
  std::optional<double> cost_usd;
  std::chrono::milliseconds elapsed{};
  std::vector<std::string> notes;         // what a reader must also know; `content` ends with them
  std::string content;                    // the answer as text
  std::optional<KeywordPreview> preview;  // with dry_run only
};

}  // namespace forge
