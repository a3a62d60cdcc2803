#include "agent/paths.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/strings.h"

namespace forge::agent {
namespace {

constexpr std::size_t kMostNear = 5;
// Whole paths are long; to compare more of them takes too long.
constexpr std::size_t kMostCompared = 20'000;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string WithoutPercents(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 && HexDigit(text[i + 2]) >= 0;
    const int byte = code ? HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]) : 0;
    if (byte > 0) i += 2;
    out += byte > 0 ? static_cast<char>(byte) : text[i];
  }
  return out;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\n\"'`";
  const std::size_t begin = text.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kAround) - begin + 1);
}

// a.cc:120, a.cc:120:5, a.cc:10-20, a.cc#L10-L20
std::string_view WithoutLine(std::string_view text) {
  for (const char mark : {'#', ':'}) {
    const std::size_t at = text.find(mark, text.rfind('/') == std::string_view::npos ? 0 : text.rfind('/'));
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view rest = text.substr(at + 1);
    const bool number = !rest.empty() && rest.find_first_not_of("0123456789:-,L") == std::string_view::npos &&
                        rest.find_first_of("0123456789") != std::string_view::npos;
    if (number) text = text.substr(0, at);
  }
  return text;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string_view LastPart(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string Bare(std::string_view given) {
  while (given.starts_with('/') || given.starts_with("./")) given.remove_prefix(given.starts_with('/') ? 1 : 2);
  while (given.ends_with('/')) given.remove_suffix(1);
  return std::string(given);
}

using Paths = std::set<std::string>;

// The files, and the folders that hold them.
Paths WithFolders(const std::vector<std::string>& names) {
  Paths paths;
  for (const std::string& name : names) {
    paths.insert(name);
    for (std::size_t at = name.rfind('/'); at != std::string::npos && at > 0; at = name.rfind('/', at - 1)) {
      if (!paths.insert(name.substr(0, at)).second) break;  // its own folders are there as well
    }
  }
  return paths;
}

class Guess {
 public:
  Guess(std::string given, const Paths& paths, bool outside)
      : given_(std::move(given)), paths_(paths), outside_(outside) {}

  PathGuess Make() {
    PathGuess guess;
    if (given_.empty()) return guess;
    guess.same = Same(given_);
    if (guess.same.empty()) guess.same = SameInAnyCase(Lower(given_));
    if (guess.same.empty() && !outside_) guess.near = Near();
    return guess;
  }

 private:
  // The path itself; its longest end that is a path; else the paths that end in it.
  std::vector<std::string> Same(const std::string& given) const {
    for (std::size_t at = 0;; ++at) {
      if (paths_.contains(given.substr(at))) return {given.substr(at)};
      at = given.find('/', at);
      if (at == std::string::npos) break;
    }
    if (outside_) return {};
    const std::string end = "/" + given;
    return All([&](const std::string& path) { return path.ends_with(end); });
  }

  std::vector<std::string> SameInAnyCase(const std::string& lower) const {
    Paths forms;
    for (const std::string& path : paths_) forms.insert(Lower(path));
    const std::vector<std::string> same = Guess(lower, forms, outside_).Same(lower);
    if (same.empty()) return {};
    return All([&](const std::string& path) { return std::ranges::find(same, Lower(path)) != same.end(); });
  }

  std::vector<std::string> Near() const {
    auto near = All([&](const std::string& path) { return Lower(LastPart(path)) == Lower(LastPart(given_)); });
    if (near.empty() && paths_.size() <= kMostCompared) {
      const std::vector<std::string_view> all(paths_.begin(), paths_.end());
      if (const std::string_view word = NearestWord(given_, all); !word.empty()) near.emplace_back(word);
    }
    if (near.empty()) near = NearLastPart();
    if (near.empty()) near = NearestFolder();
    if (near.size() > kMostNear) near.resize(kMostNear);
    return near;
  }

  std::vector<std::string> NearLastPart() const {
    std::set<std::string_view> parts;
    for (const std::string& path : paths_) parts.insert(LastPart(path));
    const std::string word(NearestWord(LastPart(given_), {parts.begin(), parts.end()}));
    if (word.empty()) return {};
    return All([&](const std::string& path) { return LastPart(path) == word; });
  }

  // The part of the path that is there.
  std::vector<std::string> NearestFolder() const {
    std::string folder = given_;
    for (std::size_t at = folder.rfind('/'); at != std::string::npos; at = folder.rfind('/')) {
      folder.resize(at);
      if (paths_.contains(folder)) return {folder};
    }
    return {};
  }

  std::vector<std::string> All(const std::function<bool(const std::string&)>& wanted) const {
    std::vector<std::string> found;
    std::copy_if(paths_.begin(), paths_.end(), std::back_inserter(found), wanted);
    return found;
  }

  const std::string given_;
  const Paths& paths_;
  const bool outside_;
};

}  // namespace

std::string CleanPath(std::string_view given) {
  std::string path(Trimmed(given));
  if (path.starts_with("file://")) path = WithoutPercents(std::string_view(path).substr(7));
  if (path.starts_with("localhost/")) path.erase(0, 9);
  if (path.starts_with('@')) path.erase(0, 1);
  path = WithoutLine(path);
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

PathGuess GuessPath(std::string_view given, const std::vector<std::string>& names, bool outside) {
  const Paths paths = WithFolders(names);
  return Guess(Bare(given), paths, outside).Make();
}

}  // namespace forge::agent
