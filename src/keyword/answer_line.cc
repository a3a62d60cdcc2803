#include "keyword/answer_line.h"

#include <algorithm>

namespace forge::keyword {
namespace {

constexpr std::string_view kBeforePath = "`*\"'[(<|";
constexpr std::string_view kAfterPath = "`*\"'])>";
constexpr std::string_view kBetweenPaths = " \t`*\"'[]()<>|,";
constexpr std::string_view kBetweenWords = " \t`*\"'[]()<>{},;!?|=";

bool Any(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Bytes that go on with a path or a word.
bool IsPathByte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || Any("_-/~+@", c); }

void SkipSpace(std::string_view& text) {
  while (!text.empty() && Any(" \t", text.front())) text.remove_prefix(1);
}

void SkipDigits(std::string_view& text) {
  while (!text.empty() && IsDigit(text.front())) text.remove_prefix(1);
}

// Removes "- ", "* ", "+ ", "3. ", "3) ", "### " or a bullet.
bool SkipListMark(std::string_view& text) {
  SkipSpace(text);
  std::string_view rest = text;
  if (rest.starts_with("•")) {
    rest.remove_prefix(std::string_view("•").size());
  } else if (!rest.empty() && Any("-*+", rest.front())) {
    rest.remove_prefix(1);
  } else if (rest.starts_with('#')) {
    while (rest.starts_with('#')) rest.remove_prefix(1);
  } else {
    SkipDigits(rest);
    if (rest.size() == text.size() || rest.empty() || !Any(".)", rest.front())) return false;
    rest.remove_prefix(1);
  }
  if (!rest.starts_with(' ')) return false;
  SkipSpace(rest);
  text = rest;
  return true;
}

bool HasExtension(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < word.size() && word.size() - dot <= 6;
}

bool HasSlash(std::string_view word) { return word.find('/') != std::string_view::npos; }

// ":12", ":12-14" and ":12:5" after a path.
void SkipLineNumber(std::string_view& rest) {
  while (rest.size() > 1 && rest.front() == ':' && IsDigit(rest[1])) {
    std::string_view number = rest.substr(1);
    SkipDigits(number);
    if (number.size() > 1 && number.front() == '-' && IsDigit(number[1])) {
      number.remove_prefix(1);
      SkipDigits(number);
    }
    if (!EndsPath(number)) return;
    rest = number;
  }
}

// Decoration and a line number.
void SkipAfterPath(std::string_view& rest) {
  while (!rest.empty() && Any(kAfterPath, rest.front())) rest.remove_prefix(1);
  SkipLineNumber(rest);
  while (!rest.empty() && Any(kAfterPath, rest.front())) rest.remove_prefix(1);
}

}  // namespace

AnswerLine ReadAnswerLine(std::string_view line) {
  AnswerLine out;
  while (SkipListMark(line)) out.is_listed = true;
  out.body = line;
  out.bare = line;
  while (!out.bare.empty() && Any(kBeforePath, out.bare.front())) out.bare.remove_prefix(1);
  SkipSpace(out.bare);
  return out;
}

bool IsEmptyLine(const AnswerLine& line) {
  const bool says = std::any_of(line.body.begin(), line.body.end(), [](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  });
  return !says || line.body.starts_with("```");
}

bool SaysNone(const AnswerLine& line) {
  constexpr std::string_view kWords = "no relevant files found";
  std::string_view text = line.bare;
  while (!text.empty() && Any(" \t.*`\"'!", text.back())) text.remove_suffix(1);
  return std::equal(text.begin(), text.end(), kWords.begin(), kWords.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; });
}

bool EndsPath(std::string_view rest) {
  // A full stop ends a sentence, or goes on with an extension.
  if (rest.starts_with('.')) return rest.size() == 1 || (rest[1] != '.' && !IsPathByte(rest[1]));
  return rest.empty() || !IsPathByte(rest.front());
}

bool BeginsPath(std::string_view before) {
  return before.empty() || !(IsPathByte(before.back()) || before.back() == '.');
}

bool MarksEntry(std::string_view rest) {
  SkipAfterPath(rest);
  SkipSpace(rest);
  if (rest.empty() || rest == ",") return true;
  constexpr std::string_view kMarks[] = {":", "- ", "—", "–", "(", "|", "=>", "->", "："};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](std::string_view mark) { return rest.starts_with(mark); });
}

std::string_view NextInEnumeration(std::string_view rest) {
  SkipAfterPath(rest);
  while (!rest.empty() && Any(kBetweenPaths, rest.front())) rest.remove_prefix(1);
  return rest;
}

std::string_view ReasonIn(std::string_view rest) {
  SkipAfterPath(rest);
  while (!rest.empty()) {
    if (Any(" \t:-,|", rest.front()) || Any(kAfterPath, rest.front())) {
      rest.remove_prefix(1);
    } else if (rest.starts_with("—") || rest.starts_with("–") || rest.starts_with("：")) {
      rest.remove_prefix(3);
    } else {
      break;
    }
  }
  return rest;
}

std::optional<NamedPath> PathOfEntry(std::string_view text) {
  std::string_view word = text.substr(0, text.find_first_of(" \t`*\"'|,;<>()[]"));
  if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) word = word.substr(0, colon);
  const std::string_view rest = text.substr(word.size());
  if (word.size() < 2 || rest.starts_with("://") || !MarksEntry(rest)) return std::nullopt;
  return NamedPath{word, rest, HasSlash(word) || HasExtension(word)};
}

std::vector<PathWord> PathWordsIn(std::string_view text) {
  std::vector<PathWord> words;
  while (true) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBetweenWords)));
    if (text.empty()) return words;
    std::string_view word = text.substr(0, text.find_first_of(kBetweenWords));
    text.remove_prefix(word.size());
    word = word.substr(0, word.find_first_of(":#"));  // a line number
    while (word.ends_with('.')) word.remove_suffix(1);
    const bool extension = HasExtension(word);
    if (word.size() < 2 || !(HasSlash(word) || extension)) continue;
    words.push_back({word, HasSlash(word) && (extension || word.front() == '/')});
  }
}

}  // namespace forge::keyword
