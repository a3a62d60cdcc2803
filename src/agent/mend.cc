#include "agent/mend.h"

#include <algorithm>
#include <utility>

#include "agent/glob_words.h"
#include "agent/paths.h"
#include "agent/readings.h"
#include "base/strings.h"

namespace forge::agent {
namespace {

constexpr std::chrono::milliseconds kTimeForReading{500};

std::string Listed(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : ", ") + Echo(path, 120);
  return out;
}

// "missing closing parenthesis", of "pattern: ... at offset 11: ..."
std::string Reason(const Error& error) {
  constexpr std::string_view kField = "pattern: ";
  std::string_view message = error.message;
  if (message.starts_with(kField)) message.remove_prefix(kField.size());
  return Echo(message, 150);
}

class Mender {
 public:
  Mender(Finder& finder, Call call) : finder_(finder), mended_{std::move(call), {}} {}

  Result<Mended> Run() {
    for (auto* globs : {&call().request.include_glob, &call().request.exclude_glob}) {
      TakeFromRoot(*globs);
      TakeFromPath(*globs);
    }
    if (Status status = TakeSeveralPaths(); !status) return status.error();
    auto found = finder_.Find(call());
    if (!found && IsAboutPath(found.error())) {
      if (const auto gone = finder_.Problem("")) return *gone;  // the project itself, not a path in it
      if (Status status = MendPath(found.error()); !status) return status.error();
      found = finder_.Find(call());
    }
    if (!found && found.error().code == ErrorCode::kBadPattern) return ReadOtherwise(found.error());
    if (!found) return found.error();
    mended_.found = *std::move(found);
    if (FoundNothing() && call().offset == 0 && !call().names_only) TryReadings();
    if (mended_.found.shown > 0 && !call().names_only) RemarkOnPattern();
    if (FoundNothing() && call().offset == 0 && !call().names_only) RemarkOnName();
    return std::move(mended_);
  }

 private:
  Call& call() { return mended_.call; }
  const Call& call() const { return mended_.call; }
  void Remark(std::string_view text) { mended_.remarks.emplace_back(text); }

  static bool IsAboutPath(const Error& error) {
    return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kPathOutsideSandbox;
  }

  bool FoundNothing() const { return mended_.found.shown == 0 && mended_.found.response.end == SearchEnd::kComplete; }

  // --- patterns ---

  // The pattern is no regular expression: the first reading that finds something,
  // else all that are possible.
  Result<Mended> ReadOtherwise(const Error& error) {
    const std::string what =
        "`" + Echo(call().request.pattern) + "` is not a regular expression (" + Reason(error) + ")";
    std::string tried;
    for (Reading& reading : OtherReadings(call().request)) {
      Call other = call();
      other.request = std::move(reading.request);
      auto found = finder_.Find(other);
      if (!found) continue;
      const bool found_some = found->shown > 0;
      tried = (tried.empty() || found_some ? "" : tried + " and as ") + reading.as;
      mended_.found = *std::move(found);
      used_ = {other, what + ", so it was searched as " + tried + "."};
      if (found_some) break;
    }
    const bool some = !tried.empty();
    // Nothing was found by a reading that can hardly be meant: that would read like an answer.
    if (some && mended_.found.shown == 0 && AsksForLineFeed(call().request)) return SeveralLines();
    if (!some) return error;
    Remark(used_.remark);
    RemarkOnGlob(call().request.pattern);
    call() = used_.call;
    return std::move(mended_);
  }

  void TryReadings() {
    for (Reading& reading : OtherReadings(call().request)) {
      Call other = call();
      other.request = std::move(reading.request);
      auto found = finder_.Find(other, kTimeForReading);
      if (!found || found->shown == 0) continue;
      Remark("`" + Echo(call().request.pattern) + "` as written matches nothing; these are the matches of " +
             reading.as + ".");
      call() = std::move(other);
      mended_.found = *std::move(found);
      return;
    }
  }

  // It found something, but perhaps not what was meant.
  void RemarkOnPattern() {
    const SearchRequest& request = call().request;
    if (HasEmptyAlternative(request)) Remark("an alternative of the pattern is empty, and matches every line.");
    if (!LooksLikePlainText(request)) return;
    Call plain{.request = request, .max_results = 1};
    plain.request.fixed_strings = true;
    const auto found = finder_.Find(plain, kTimeForReading);
    if (!found || found->response.matches.empty()) return;
    Remark("`" + Echo(request.pattern) + "` was read as a regular expression. As plain text (fixed_strings) it is in " +
           ShownName(found->response.matches.front().path) + " line " +
           std::to_string(found->response.matches.front().line_number) + ".");
  }

  void RemarkOnGlob(const std::string& pattern) {
    if (!LooksLikeFileGlob(pattern)) return;
    Remark("to list files by their name, set include_glob = [\"" + Echo(pattern) +
           "\"] and output = \"files\", without pattern.");
  }

  // A model that looks for a file by its name may look into files instead.
  void RemarkOnName() {
    const std::string name = FileNameIn(call().request);
    if (name.empty()) return;
    const std::string glob = name.find('/') == std::string::npos ? name : "**/" + name;
    Call names{.request = call().request, .output = Output::kFiles, .max_results = 3, .names_only = true};
    names.request.pattern.clear();
    names.request.fixed_strings = names.request.word_regexp = names.request.invert = false;
    names.request.fuzzy.reset();
    names.request.include_glob = {glob};
    const auto found = finder_.Find(names, kTimeForReading);
    if (!found || found->files.empty()) return;
    std::vector<std::string> paths;
    for (const FileReport& file : found->files) paths.push_back(ShownName(file.path));
    Remark("no line matches, but " + Listed(paths) + (paths.size() == 1 ? " has" : " have") +
           " that name. To list files by their name, set include_glob = [\"" + Echo(glob) + "\"] without pattern.");
  }

  // --- paths ---

  // With a path, globs begin there. A model may write them from the project on, as for
  // ripgrep: then they begin with the path.
  void TakeFromPath(std::vector<std::string>& globs) const {
    auto folder = FromWorkingFolder(call().request.path);
    if (!folder || folder->empty()) return;
    while (folder->ends_with('/')) folder->pop_back();
    const std::vector<std::string> given = globs;
    for (const std::string& glob : given) {
      std::string_view rest = glob;
      if (rest.starts_with('/')) rest.remove_prefix(1);
      if (!rest.starts_with(*folder + "/")) continue;
      globs.emplace_back(rest.substr(folder->size()));
    }
  }

  // A glob with the whole path of the folder: from there on.
  void TakeFromRoot(std::vector<std::string>& globs) const {
    const std::string folder = finder_.engine().working_dir() + "/";
    for (std::string& glob : globs) {
      if (glob.starts_with(folder)) glob.erase(0, folder.size() - 1);
    }
  }

  // "src/a, src/b" and "src/a src/b", if all of them exist. Nothing if it is no list.
  std::vector<std::string> PathsIn(const std::string& given) {
    std::vector<std::string> paths;
    for (const char separator : {',', ';', ' '}) {
      for (const std::string_view part : Split(given, separator)) {
        if (std::string path = CleanPath(part); !path.empty()) paths.push_back(std::move(path));
      }
      const auto exists = [&](const std::string& path) { return !finder_.Problem(path); };
      if (paths.size() > 1 && std::ranges::all_of(paths, exists)) return paths;
      paths.clear();
    }
    return paths;
  }

  // Several paths become globs from the working folder, because one search has one
  // root.
  Status TakeSeveralPaths() {
    if (call().paths.empty()) return {};
    std::vector<std::string> globs;
    for (const std::string& given : std::exchange(call().paths, {})) {
      auto path = ExistingPath(given);
      if (!path) return path.error();
      const auto inside = FromWorkingFolder(*path);
      if (!inside) return BadArgs("path: " + Echo(given) + " cannot be one of several paths; search it alone.");
      if (inside->empty()) return {};  // the whole folder, and so the others as well
      if (HasGlobCharacter(*inside)) {
        globs.push_back(*inside);
        continue;
      }
      globs.push_back(GlobOfPath(*inside));
      globs.push_back(GlobOfPath(*inside) + "/**");
    }
    return AddGlobs(std::move(globs));
  }

  // The path, or what it was repaired to.
  Result<std::string> ExistingPath(const std::string& given) {
    const auto problem = finder_.Problem(given);
    if (!problem) return given;
    if (!IsAboutPath(*problem)) return *problem;
    if (const auto gone = finder_.Problem("")) return *gone;
    return Repaired(given, *problem);
  }

  // Relative to the working folder; "" for itself; nothing if it lies elsewhere.
  std::optional<std::string> FromWorkingFolder(std::string path) const {
    const std::string& folder = finder_.engine().working_dir();
    if (path == "." || path == "./" || path == folder) return "";
    while (path.starts_with("./")) path.erase(0, 2);
    if (path.starts_with(folder + "/")) return path.substr(folder.size() + 1);
    if (path.starts_with('/') || path == ".." || path.starts_with("../")) return std::nullopt;
    return path;
  }

  // Files must match one of these, and what the model gave as well.
  Status AddGlobs(std::vector<std::string> globs) {
    SearchRequest& request = call().request;
    if (!request.include_glob.empty() && !request.type_glob.empty()) {
      return BadArgs(
          "path: is a list or a glob, which cannot be combined with both include_glob and type; give one "
          "folder as path.");
    }
    auto& free = request.include_glob.empty() ? request.include_glob : request.type_glob;
    free.insert(free.end(), globs.begin(), globs.end());
    return {};
  }

  Status MendPath(const Error& error) {
    std::string& path = call().request.path;
    const std::string given = path;
    if (given == "/" || given == "~" || given == "~/") {
      path.clear();
      Remark("path " + given + " is outside the project; all of the project was searched.");
      return {};
    }
    if (std::vector<std::string> several = PathsIn(given); !several.empty()) {
      path.clear();
      Remark("path was read as a list: " + ListedBriefly(several) + ".");
      call().paths = std::move(several);
      return TakeSeveralPaths();
    }
    auto repaired = Repaired(given, error);
    if (!repaired) return repaired.error();
    if (!HasGlobCharacter(*repaired) || !finder_.Problem(*repaired)) {
      path = *std::move(repaired);
      return {};
    }
    path.clear();
    return AddGlobs({*std::move(repaired)});
  }

  // A path that exists, or a glob. Remarks on it.
  Result<std::string> Repaired(const std::string& given, const Error& error) {
    const std::string clean = CleanPath(given);
    if (clean != given && !finder_.Problem(clean)) {
      Remark("path " + Echo(given) + " was read as " + Echo(clean) + ".");
      return clean;
    }
    if (HasGlobCharacter(clean)) {
      if (auto glob = FromWorkingFolder(clean)) {
        Remark("path " + Echo(given) + " is a glob, and was taken as include_glob.");
        return *std::move(glob);
      }
    }
    const bool outside = error.code == ErrorCode::kPathOutsideSandbox;
    const PathGuess guess = GuessPath(clean, finder_.Names(call()), outside);
    if (guess.same.size() == 1) {
      Remark("there is no path " + Echo(given) + "; " + Echo(guess.same.front()) + " was searched.");
      return guess.same.front();
    }
    return Explained(given, error, guess);
  }

  Error Explained(const std::string& given, const Error& error, const PathGuess& guess) const {
    Error out = error;
    const std::vector<std::string>& like = guess.same.empty() ? guess.near : guess.same;
    if (error.code == ErrorCode::kPathOutsideSandbox && like.empty()) return out;
    out.message = "path: there is no " + Echo(given) + " in " + Echo(finder_.engine().working_dir(), 300) +
                  (like.empty() ? "; leave path out to search all of it." : "; near it: " + ListedBriefly(like) + ".");
    return out;
  }

  static std::string ListedBriefly(std::vector<std::string> paths) {
    constexpr std::size_t kMost = 5;
    const std::size_t more = paths.size() > kMost ? paths.size() - kMost : 0;
    paths.resize(paths.size() - more);
    return Listed(paths) + (more > 0 ? " and " + std::to_string(more) + " more" : "");
  }

  struct Used {
    Call call;
    std::string remark;
  };

  Finder& finder_;
  Mended mended_;
  Used used_;
};

}  // namespace

Result<Mended> FindMended(Finder& finder, Call call) { return Mender(finder, std::move(call)).Run(); }

}  // namespace forge::agent
