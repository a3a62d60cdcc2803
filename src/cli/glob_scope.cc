#include "cli/glob_scope.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "glob/braces.h"
#include "glob/glob.h"

namespace forge::cli {
namespace {

using Globs = std::vector<std::string>;

constexpr std::string_view kAnyFolders = "**";

enum class Use { kInclude, kExclude };

bool MatchesName(std::string_view glob, std::string_view name, LetterCase letters) {
  auto parsed = Glob::Parse(glob, letters);
  return parsed && GlobSet({*std::move(parsed)}, letters).Matches(name, true);
}

// The beginning of a glob down a path, one folder after another. A glob here is
// anchored, and has no '/' at its beginning.
class Mover {
 public:
  Mover(Use use, LetterCase letters) : use_(use), letters_(letters) {}

  // What is left of `glob` below the folder `name`: more than one, because "**"
  // may stand for that folder or for none.
  void Enter(std::string_view glob, std::string_view name, Globs& out) const {
    const std::size_t slash = glob.find('/');
    const std::string_view first = glob.substr(0, slash);
    if (first == kAnyFolders) out.emplace_back(glob);
    // Without a '/' it is about the folder itself, which is searched because the
    // user named it.
    if (slash == std::string_view::npos) return;
    const std::string_view rest = glob.substr(slash + 1);
    if (first == kAnyFolders) return Enter(rest, name, out);
    if (!MatchesName(first, name, letters_)) return;
    if (!rest.empty()) {
      out.emplace_back(rest);
    } else if (use_ == Use::kInclude) {
      out.emplace_back(kAnyFolders);  // "src/": all that is in it
    }
  }

  Globs Move(std::string_view glob, const std::vector<std::string_view>& folders) const {
    Globs all = {std::string(glob)};
    for (const std::string_view name : folders) {
      Globs next;
      for (const std::string& one : all) Enter(one, name, next);
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      all = std::move(next);
    }
    return all;
  }

 private:
  const Use use_;
  const LetterCase letters_;
};

bool IsAnchored(std::string_view glob) { return glob.substr(0, glob.size() - 1).find('/') != std::string_view::npos; }

void MoveAll(const std::vector<std::string_view>& folders, const Mover& mover, Globs& globs) {
  Globs moved;
  for (const std::string& glob : globs) {
    const auto alternatives = ExpandBraces(glob);
    if (!alternatives) {
      moved.push_back(glob);  // the search says what is wrong with it
      continue;
    }
    for (const std::string& alternative : *alternatives) {
      if (alternative.empty() || !IsAnchored(alternative)) {
        moved.push_back(alternative.empty() ? glob : alternative);
        continue;
      }
      const std::string_view text = alternative;
      for (const std::string& rest : mover.Move(text.substr(text.starts_with('/') ? 1 : 0), folders)) {
        moved.push_back(rest.starts_with(kAnyFolders) ? rest : "/" + rest);
      }
    }
  }
  globs = std::move(moved);
}

}  // namespace

bool MoveGlobs(std::string_view folder, SearchRequest& request) {
  if (folder.empty() || folder == ".") return true;
  const std::vector<std::string_view> folders = Split(folder, '/');
  const bool includes = !request.include_glob.empty() || !request.include_iglob.empty();
  MoveAll(folders, Mover(Use::kInclude, LetterCase::kExact), request.include_glob);
  MoveAll(folders, Mover(Use::kExclude, LetterCase::kExact), request.exclude_glob);
  MoveAll(folders, Mover(Use::kInclude, LetterCase::kFold), request.include_iglob);
  MoveAll(folders, Mover(Use::kExclude, LetterCase::kFold), request.exclude_iglob);
  return !includes || !request.include_glob.empty() || !request.include_iglob.empty();
}

}  // namespace forge::cli
