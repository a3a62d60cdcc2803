#include "tool/lines.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/utf8.h"

namespace forge::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string Base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = (group << 8) | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += at + i > bytes.size() ? '=' : kDigits[(group >> (18 - 6 * i)) & 63];
    }
  }
  return out;
}

Json TextObject(const std::string& text) {
  if (IsValidUtf8(text)) return {{"text", text}};
  return {{"bytes", Base64(text)}};
}

Json Duration(std::chrono::nanoseconds time) {
  const auto secs = std::chrono::duration_cast<std::chrono::seconds>(time);
  char human[32];
  std::snprintf(human, sizeof human, "%.6fs", static_cast<double>(time.count()) / 1e9);
  return {{"secs", secs.count()}, {"nanos", (time - secs).count()}, {"human", human}};
}

void AppendLine(const char* type, Json data, std::string& out) {
  Json line = Json::object();
  line.emplace("type", type);
  line.emplace("data", std::move(data));
  out += line.dump() + "\n";
}

Json Submatches(const Event& event) {
  Json list = Json::array();
  for (const Place& place : event.places) {
    const std::string text = event.line.substr(place.begin, place.end - place.begin);
    list.push_back({{"match", TextObject(text)}, {"start", place.begin}, {"end", place.end}});
  }
  return list;
}

}  // namespace

void JsonLines::OnEvent(const Event& event, std::string& out) {
  const std::size_t before = out.size();
  if (path_ != event.path) {
    path_ = event.path;
    AppendLine("begin", {{"path", TextObject(event.path)}}, out);
  }
  AppendLine(event.type == Event::Type::kMatch ? "match" : "context",
             {{"path", TextObject(event.path)},
              {"lines", TextObject(event.line + event.ending)},
              {"line_number", event.line_number},
              {"absolute_offset", event.offset},
              {"submatches", Submatches(event)}},
             out);
  printed_ += out.size() - before;
}

void JsonLines::OnFile(const FileReport& file, std::string& out) {
  if (!path_) return;
  const std::uint64_t printed = std::exchange(printed_, 0);
  const std::uint64_t with_match = file.matched_lines > 0 ? 1 : 0;
  AppendLine("end",
             {{"path", TextObject(*path_)},
              {"binary_offset", nullptr},
              {"stats",
               {{"elapsed", Duration({})},
                {"searches", 1},
                {"searches_with_match", with_match},
                {"bytes_searched", file.bytes},
                {"bytes_printed", printed},
                {"matched_lines", file.matched_lines},
                {"matches", file.matches}}}},
             out);
  path_.reset();
  all_.searches_with_match += with_match;
  all_.bytes_printed += printed;
  all_.matched_lines += file.matched_lines;
  all_.matches += file.matches;
}

void JsonLines::Finish(std::uint64_t files, std::uint64_t bytes, std::chrono::nanoseconds elapsed, std::string& out) {
  AppendLine("summary",
             {{"elapsed_total", Duration(elapsed)},
              {"stats",
               {{"elapsed", Duration(elapsed)},
                {"searches", files},
                {"searches_with_match", all_.searches_with_match},
                {"bytes_searched", bytes},
                {"bytes_printed", all_.bytes_printed},
                {"matched_lines", all_.matched_lines},
                {"matches", all_.matches}}}},
             out);
}

}  // namespace forge::tool
