#include "agent/definition.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace forge::agent {
namespace {

constexpr std::string_view kSpace = " \t";

// Words that stand right before the name that they define.
constexpr std::string_view kDefining[] = {"class", "struct",  "enum",   "union",     "interface",   "trait", "type",
                                          "def",   "fn",      "func",   "fun",       "function",    "sub",   "module",
                                          "macro", "#define", "define", "namespace", "macro_rules!"};
// These too, if a value follows.
constexpr std::string_view kNaming[] = {"const", "constexpr", "let", "var", "val", "using"};

// A line that begins so is about something else.
constexpr std::string_view kOther[] = {"return", "if",    "for",    "while", "else",  "case",   "import", "from",
                                       "throw",  "raise", "assert", "await", "yield", "delete", "new"};

bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view WithoutSpaceBefore(std::string_view text) {
  const std::size_t at = text.find_first_not_of(kSpace);
  return at == std::string_view::npos ? "" : text.substr(at);
}

std::string_view WithoutSpaceAfter(std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\r") + 1); }

template <typename Words>
bool Has(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

std::string_view FirstWord(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, IsWordCharacter) - text.begin()));
}

std::string_view LastWord(std::string_view text) {
  const std::size_t at = text.find_last_of(kSpace);
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

// "void Server::", "static int ", "func (s *Server) ": words of a type before a name,
// and nothing that calls or assigns.
bool IsTypeBeforeName(std::string_view before) {
  if (WithoutSpaceAfter(before).empty()) return false;
  const char last = before.back();
  const bool apart = last == ' ' || last == '\t' || last == '*' || last == '&' || before.ends_with("::");
  return apart && std::ranges::all_of(before, [](char c) {
           return IsWordCharacter(c) || std::string_view(" \t:<>,*&~[]").find(c) != std::string_view::npos;
         });
}

// "(int a) {" after a name: a body follows.
bool OpensBody(std::string_view after) {
  after.remove_prefix(FirstWord(after).size());
  after = WithoutSpaceAfter(after);
  return WithoutSpaceBefore(after).starts_with('(') && (after.ends_with('{') || after.ends_with(") =>"));
}

// "kMost = 3" outside of any body: a constant.
bool IsAssigned(std::string_view after) {
  after = WithoutSpaceBefore(after.substr(FirstWord(after).size()));
  return after.starts_with('=') && !after.starts_with("==");
}

}  // namespace

bool LooksLikeDefinition(const Event& event) {
  const std::string_view line = WithoutSpaceAfter(event.line);
  if (event.column == 0 || event.column > line.size()) return false;
  const std::string_view begin = WithoutSpaceBefore(line);
  if (Has(kOther, FirstWord(begin)) || begin.starts_with("//") || begin.starts_with('*')) return false;
  const std::string_view before = line.substr(0, event.column - 1);
  const std::string_view after = line.substr(event.column - 1);
  const bool has_more = !line.ends_with(';') || line.find_first_of("={(") != std::string_view::npos;  // not: class A;
  const std::string_view word = LastWord(WithoutSpaceAfter(before));
  if (Has(kDefining, word)) return has_more;
  if (Has(kNaming, word)) return IsAssigned(after);
  if (begin.starts_with("typedef ")) return after.substr(FirstWord(after).size()) == ";";
  if (begin == after && Has(kDefining, FirstWord(after))) return has_more;  // class \w+Cache
  return IsTypeBeforeName(before) && (OpensBody(after) || (begin == line && IsAssigned(after)));
}

}  // namespace forge::agent
