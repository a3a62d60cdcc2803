#include "keyword/answer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "scope/paths.h"

namespace forge::keyword {
namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::string_view kDecoration = "`*\"'[(<";
constexpr std::string_view kAfterPath = "`*\"'])>,";

bool Any(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

void SkipSpace(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

void SkipDigits(std::string_view& text) {
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') text.remove_prefix(1);
}

// "- ", "* ", "+ ", "3. ", "3) ", and a bullet.
void SkipListMark(std::string_view& text) {
  SkipSpace(text);
  std::string_view rest = text;
  SkipDigits(rest);
  const bool number = rest.size() < text.size() && !rest.empty() && (rest.front() == '.' || rest.front() == ')');
  const bool bullet = rest.size() == text.size() && !rest.empty() && Any("-*+", rest.front());
  if (number || bullet) {
    rest.remove_prefix(1);
  } else if (rest.starts_with("•")) {
    rest.remove_prefix(std::string_view("•").size());
  } else {
    return;
  }
  if (rest.starts_with(' ')) text = rest;
  SkipSpace(text);
}

// What may follow a path: the end, a sign, a space.
bool EndsPath(std::string_view rest) {
  return rest.empty() || Any(" \t:", rest.front()) || Any(kAfterPath, rest.front());
}

// "`:12-14**: why" -> "why"
std::string_view ReasonIn(std::string_view rest) {
  while (!rest.empty() && Any(kAfterPath, rest.front())) rest.remove_prefix(1);
  if (std::string_view number = rest; number.starts_with(':')) {
    number.remove_prefix(1);
    const std::size_t before = number.size();
    SkipDigits(number);
    if (number.starts_with('-')) number.remove_prefix(1);
    SkipDigits(number);
    if (number.size() < before && EndsPath(number)) rest = number;
  }
  while (!rest.empty()) {
    if (Any(" \t:-", rest.front()) || Any(kAfterPath, rest.front())) {
      rest.remove_prefix(1);
    } else if (rest.starts_with("—") || rest.starts_with("–")) {
      rest.remove_prefix(3);
    } else {
      break;
    }
  }
  return rest;
}

std::string Clipped(std::string_view text) {
  std::string out = Sanitize(text);
  while (!out.empty() && Any(" \t*`", out.back())) out.pop_back();
  if (out.size() <= kMaxReasonBytes) return out;
  out.resize(ValidUtf8Prefix(std::string_view(out).substr(0, kMaxReasonBytes)));
  return out + "...";
}

class Checker {
 public:
  Checker(const std::string& root, const Paths& hits) : root_(root), hits_(hits) {}

  void Take(std::string_view line) {
    line = line.substr(0, kMaxLine);
    SkipListMark(line);
    if (line.empty() || line.starts_with("```")) return;
    std::string_view bare = line;
    while (!bare.empty() && Any(kDecoration, bare.front())) bare.remove_prefix(1);
    for (const std::string_view text : {line, bare}) {
      if (TakeHit(text)) return;
    }
    TakeOther(line, bare);
  }

  CheckedAnswer Finish() { return std::move(answer_); }

 private:
  // The longest beginning of `text` that is a hit; a path may contain spaces
  // and colons.
  bool TakeHit(std::string_view text) {
    std::string_view path = text;
    if (path.starts_with(root_) && path.substr(root_.size()).starts_with('/')) path.remove_prefix(root_.size() + 1);
    while (path.starts_with("./")) path.remove_prefix(2);
    for (std::size_t end = path.size(); end > 0; --end) {
      if (!EndsPath(path.substr(end))) continue;
      const auto hit = hits_.find(path.substr(0, end));
      if (hit == hits_.end()) continue;
      Add(*hit, ReasonIn(path.substr(end)));
      return true;
    }
    return false;
  }

  void Add(const std::string& path, std::string_view reason) {
    wants_reason_ = false;
    if (!listed_.insert(path).second) return;
    if (answer_.files.size() == kMaxListedFiles) {
      ++answer_.beyond;
      return;
    }
    answer_.files.push_back({JoinPath(root_, path), Clipped(reason)});
    wants_reason_ = answer_.files.back().reason.empty();
  }

  void TakeOther(std::string_view line, std::string_view bare) {
    if (const auto path = PathIn(bare)) {
      wants_reason_ = false;
      if (dropped_.insert(*path).second) answer_.dropped.push_back(*path);
      return;
    }
    if (SaysNone(line)) {
      answer_.says_none = true;
    } else if (std::exchange(wants_reason_, false)) {
      answer_.files.back().reason = Clipped(ReasonIn(line));  // some models put the reason under the path
    } else {
      ++answer_.other_lines;
    }
  }

  static bool SaysNone(std::string_view line) {
    std::string lower(line);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    return lower.find("no relevant files") != std::string::npos;
  }

  // Looks like "path: reason", but the path is not a hit.
  static std::optional<std::string> PathIn(std::string_view text) {
    const std::size_t end = std::min(text.size(), text.find_first_of(" \t`*\"'"));
    std::string_view word = text.substr(0, end);
    const bool colon = word.ends_with(':');
    while (word.ends_with(':')) word.remove_suffix(1);
    if (const std::size_t at = word.find(':'); at != std::string_view::npos) word = word.substr(0, at);
    const std::string_view rest = ReasonMark(text.substr(end));
    const bool formed = colon || end == text.size() || text[end] == '`' || !rest.empty();
    const bool like_path = word.find('/') != std::string_view::npos || HasExtension(word);
    if (!formed || !like_path || word.size() < 2) return std::nullopt;
    return Clipped(word);
  }

  static std::string_view ReasonMark(std::string_view rest) {
    while (!rest.empty() && Any(kAfterPath, rest.front())) rest.remove_prefix(1);
    SkipSpace(rest);
    for (const std::string_view mark : {":", "- ", "—", "–"}) {
      if (rest.starts_with(mark)) return mark;
    }
    return "";
  }

  static bool HasExtension(std::string_view word) {
    const std::size_t dot = word.rfind('.');
    return dot != std::string_view::npos && dot > 0 && dot + 1 < word.size() && word.size() - dot <= 6;
  }

  const std::string& root_;
  const Paths& hits_;
  std::set<std::string> listed_;
  std::set<std::string> dropped_;
  bool wants_reason_ = false;
  CheckedAnswer answer_;
};

}  // namespace

CheckedAnswer CheckAnswer(std::string_view text, const std::string& root, const Paths& hits) {
  Checker checker(root, hits);
  for (std::string_view line : Split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    checker.Take(line);
  }
  return checker.Finish();
}

}  // namespace forge::keyword
