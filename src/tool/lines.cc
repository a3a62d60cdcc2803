#include "tool/lines.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
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

Json TextObject(std::string_view text) {
  if (IsValidUtf8(text)) return {{"text", std::string(text)}};
  return {{"bytes", Base64(text)}};
}

Json Duration(std::chrono::nanoseconds time) {
  const auto secs = std::chrono::duration_cast<std::chrono::seconds>(time);
  char human[32];
  std::snprintf(human, sizeof human, "%.6fs", static_cast<double>(time.count()) / 1e9);
  return {{"secs", secs.count()}, {"nanos", (time - secs).count()}, {"human", human}};
}

std::string Message(const char* type, Json data) {
  Json line = Json::object();
  line.emplace("type", type);
  line.emplace("data", std::move(data));
  return line.dump();
}

void AppendLine(const char* type, Json data, std::string& out) { out += Message(type, std::move(data)) + "\n"; }

// What ends a message whose last field is not written yet.
constexpr std::string_view kOpenEnd = "}}";

bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

// Without a tree of JSON values where that can be: it may be one of millions.
void AppendSubmatch(std::string_view text, const Place& place, std::string& out) {
  out += "{\"match\":";
  out += IsPlain(text) ? "{\"text\":\"" + std::string(text) + "\"}" : TextObject(text).dump();
  out += ",\"start\":" + std::to_string(place.begin) + ",\"end\":" + std::to_string(place.end) + "}";
}

void AppendSubmatches(const Event& event, std::string& out, const Spill& spill) {
  out += ",\"submatches\":[";
  bool first = true;
  for (const Place& place : event.places) {
    if (!std::exchange(first, false)) out += ',';
    const std::size_t begin = std::min<std::size_t>(place.begin, event.line.size());
    AppendSubmatch(event.line.view().substr(begin, place.end - place.begin), place, out);
    if (!SpillIfLong(spill, out)) break;
  }
  out += ']';
}

}  // namespace

void JsonLines::OnEvent(const Event& event, std::string& out, const Spill& spill) {
  const std::uint64_t before = out.size();
  std::uint64_t spilled = 0;
  const Spill count = [&](std::string& text) {
    spilled += text.size();
    return spill(text);
  };
  if (path_ != event.path) {
    path_ = event.path;
    AppendLine("begin", {{"path", TextObject(event.path)}}, out);
  }
  out += Message(event.type == Event::Type::kMatch ? "match" : "context",
                 {{"path", TextObject(event.path)},
                  {"lines", TextObject(event.line.str().append(BytesOf(event.ending)))},
                  {"line_number", event.line_number},
                  {"absolute_offset", event.offset}});
  out.resize(out.size() - kOpenEnd.size());
  AppendSubmatches(event, out, spill ? count : spill);
  out += kOpenEnd;
  out += '\n';
  printed_ += spilled + out.size() - before;
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
