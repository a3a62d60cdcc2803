#include "base/secrets.h"

#include <algorithm>

namespace forge {
namespace {

constexpr std::string_view kKey = "(key)";
constexpr std::string_view kNotShown = "(not shown)";

// A shorter key is a placeholder ("none", "ollama"); in the middle of a word it
// is a coincidence.
constexpr std::size_t kShortestSecret = 8;

// Parts of a key that are shorter are not hidden: they are in many texts
// ("sk-proj-"), and of little use.
constexpr std::size_t kLeastPart = 10;
constexpr std::size_t kMostPart = 12;

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string PercentEncoded(std::string_view text, std::string_view digits) {
  std::string out;
  for (const char c : text) {
    if (IsWordByte(c) || c == '-' || c == '.' || c == '~') {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

std::string WithEscapedSlashes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '/' ? std::string("\\/") : std::string(1, c);
  return out;
}

}  // namespace

Secrets::Secrets(std::string_view key) {
  if (key.size() < kShortestSecret) {
    word_ = key;
    return;
  }
  part_ = std::min(key.size(), std::clamp(key.size() / 2, kLeastPart, kMostPart));
  for (const std::string& form : {std::string(key), PercentEncoded(key, "0123456789ABCDEF"),
                                  PercentEncoded(key, "0123456789abcdef"), WithEscapedSlashes(key)}) {
    for (std::size_t i = 0; i + part_ <= form.size(); ++i) parts_.insert(form.substr(i, part_));
  }
}

std::string Secrets::Hide(std::string_view text) const {
  if (!word_.empty()) return HideWord(text);
  if (parts_.empty()) return std::string(text);
  std::string out;
  std::size_t hidden_to = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (parts_.contains(text.substr(i, part_))) {
      if (i >= hidden_to) out += kKey;
      hidden_to = i + part_;
    }
    if (i >= hidden_to) out += text[i];
  }
  return out;
}

std::string Secrets::HideWord(std::string_view text) const {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = i + word_.size();
    const bool whole = (i == 0 || !IsWordByte(text[i - 1])) && (end >= text.size() || !IsWordByte(text[end]));
    if (whole && text.substr(i).starts_with(word_)) {
      out += kKey;
      i = end;
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::string ShownUrl(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t query = std::min(url.size(), url.find('?', begin));
  // The last "@": a password that was not encoded may hold one, or a slash.
  const std::size_t at = url.rfind('@');
  const bool has_user = at != std::string_view::npos && at >= begin;
  std::string out(url.substr(0, begin));
  if (has_user) out.append(kNotShown);
  const std::size_t rest = has_user ? at : begin;
  if (rest < query) out.append(url.substr(rest, query - rest));
  if (query < url.size()) out.append("?").append(kNotShown);
  return out;
}

std::string HideUrlUsers(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos) return out.append(text);
    out.append(text.substr(0, scheme + 3));
    text.remove_prefix(scheme + 3);
    const std::size_t at = text.substr(0, text.find_first_of(" \t\n\"'<>")).rfind('@');
    if (at == std::string_view::npos) continue;
    out.append(kNotShown);
    text.remove_prefix(at);
  }
}

}  // namespace forge
