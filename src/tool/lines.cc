#include "tool/lines.h"

#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "base/utf8.h"

namespace forge::tool {
namespace {

using Json = nlohmann::ordered_json;

Json TextObject(const std::string& text) { return {{"text", LossyUtf8(text)}}; }

void WriteLine(std::ostream& out, std::string_view type, Json data) {
  Json line = Json::object();
  line.emplace("type", type);
  line.emplace("data", std::move(data));
  out << line << '\n';
}

Json Submatches(const Event& event) {
  Json list = Json::array();
  if (event.type == Event::Type::kContext) return list;
  const std::uint64_t start = event.column - 1;
  list.push_back({{"match", TextObject(event.match_text)}, {"start", start}, {"end", start + event.match_text.size()}});
  return list;
}

}  // namespace

void JsonLines::OnEvent(const Event& event) {
  if (!in_file_ || event.path != path_) {
    EndFile();
    in_file_ = true;
    path_ = event.path;
    WriteLine(out_, "begin", {{"path", TextObject(path_)}});
  }
  const bool match = event.type == Event::Type::kMatch;
  if (match) ++matches_in_file_;
  WriteLine(out_, match ? "match" : "context",
            {{"path", TextObject(event.path)},
             {"lines", TextObject(event.line)},
             {"line_number", event.line_number},
             {"submatches", Submatches(event)}});
}

void JsonLines::EndFile() {
  if (!in_file_) return;
  WriteLine(out_, "end", {{"path", TextObject(path_)}, {"stats", {{"matched_lines", matches_in_file_}}}});
  matches_ += std::exchange(matches_in_file_, 0);
  ++files_;
  in_file_ = false;
}

void JsonLines::Finish(const SearchResponse& response) {
  EndFile();
  Json errors = Json::array();
  for (const FileError& error : response.errors) {
    errors.push_back({{"path", LossyUtf8(error.path)}, {"error", LossyUtf8(error.error)}});
  }
  WriteLine(
      out_, "summary",
      {{"v", 1},
       {"stats", {{"searches", response.files_scanned}, {"searches_with_match", files_}, {"matched_lines", matches_}}},
       {"truncated", response.truncated},
       {"timed_out", response.timed_out},
       {"errors", std::move(errors)}});
}

}  // namespace forge::tool
