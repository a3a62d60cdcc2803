// Writes JSON.
//
// Keys have the order of the specification. Bytes that are not UTF-8 become
// U+FFFD. The answer of a search is written straight to the stream, event by
// event: as a tree of values, an event takes 1.5 KB.
#pragma once

#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "forge/error.h"
#include "forge/keyword.h"
#include "forge/search.h"
#include "tool/findings.h"
#include "tool/schema.h"

namespace forge::tool {

// One JSON document, ready to be written. Cheap to copy.
class Document {
 public:
  explicit Document(nlohmann::ordered_json&& json);
  explicit Document(SearchResponse&& response);

  // As a tree of values.
  nlohmann::ordered_json json() const;

  // On one line, without a line feed.
  void Write(std::ostream& out) const;

 private:
  // One of the two.
  std::shared_ptr<const nlohmann::ordered_json> json_;
  std::shared_ptr<const SearchResponse> response_;
};

// FR-LS-05, with the events of FR-LS-04.
Document ToDocument(SearchResponse response);

Document ToDocument(const KeywordSearchResponse& response);

// {"error":{"kind":"BadArgs","message":"..."}}, with the reason of a sandbox
// violation beside them.
Document ToDocument(const Error& error);

// A tool description in the form that each maker of models wants.
enum class SchemaFormat { kMcp, kOpenAi, kAnthropic };
Document ToDocument(const Definition& definition, SchemaFormat format);
Document ToDocument(const std::vector<const Definition*>& definitions, SchemaFormat format);

// {"version":"0.1.0","status":"ok","findings":[{"area":..,"level":..,"message":..,"hint":..}]}
Document ToDocument(const std::vector<Finding>& findings);

// Indented, for people to read.
void WritePretty(const Document& document, std::ostream& out);

}  // namespace forge::tool
