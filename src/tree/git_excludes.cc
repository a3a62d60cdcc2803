#include "tree/git_excludes.h"

#include <cerrno>
#include <utility>

#include "base/path.h"
#include "os/named_file.h"

namespace forge {
namespace {

constexpr std::uint64_t kMaxPointer = 1 << 16;  // bytes of a file that holds one path

std::string_view FirstLine(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// A path of another machine, which a tree may name: on Windows "//server/share/x". To open
// it would sign the user in there, with a server that the tree has chosen. A user who
// wants to search a share names it as a root.
bool IsOfAnotherMachine(const std::string& path, const std::string& folder) {
  return path.starts_with("//") && PathRoot(path) != PathRoot(folder);
}

// The PATH of "gitdir: PATH" in the file ".git" of a linked work tree or a
// submodule. Empty if `folder` has no such file.
std::string GitFolderNamedIn(const std::string& folder, const os::OsResult<std::string>& text) {
  constexpr std::string_view kKey = "gitdir: ";
  if (!text.ok() || !FirstLine(*text).starts_with(kKey)) return "";
  return PathFrom(folder, OwnForm(FirstLine(*text).substr(kKey.size())));
}

// An error of reading the file `shown`, unless it says that there is none.
void AddError(const os::OsResult<std::string>& text, const char* shown, std::vector<IgnoreFileError>& errors) {
  if (text.ok() || MeansNoFile(text.error())) return;
  errors.push_back({shown, text.error().message() + "; ignore rules of this repository are not applied"});
}

// Whether the folder `git`, wherever it is, says that the work tree at `folder`
// belongs to it. `git worktree add` writes that there; a tree cannot write to
// another place.
bool NamesWorkTree(const std::string& git, const std::string& folder, std::vector<IgnoreFileError>& errors) {
  const auto back = os::ReadSmallFile(JoinPath(git, "gitdir"), kMaxPointer);
  AddError(back, ".git", errors);
  return back.ok() && PathFrom(folder, OwnForm(FirstLine(*back))) == JoinPath(folder, ".git");
}

// Errors are about the file `shown`; if that is empty, about core.excludesFile.
RulesPtr ReadRules(const std::string& path, const std::string& shown, const ReadFile& read, LetterCase letters,
                   std::vector<IgnoreFileError>& errors) {
  const auto text = read(path, kMaxIgnoreFileSize);
  if (text.ok()) return std::make_shared<IgnoreRules>(*text, letters);
  if (MeansNoFile(text.error())) return nullptr;
  const std::string why = text.error().code == EFBIG ? "larger than 1 MiB" : text.error().message();
  errors.push_back({shown, (shown.empty() ? "core.excludesFile: " : "") + why + "; its rules are not applied"});
  return nullptr;
}

// The branch that is checked out; "" if there is none.
std::string BranchOf(const std::string& git, const ReadFile& read, std::vector<IgnoreFileError>& errors) {
  constexpr std::string_view kRef = "ref: refs/heads/";
  const auto head = read(JoinPath(git, "HEAD"), kMaxPointer);
  AddError(head, ".git/HEAD", errors);
  if (!head.ok() || !FirstLine(*head).starts_with(kRef)) return "";
  return std::string(FirstLine(*head).substr(kRef.size()));
}

std::string TooManyFiles() {
  return "git's configuration has more than " + std::to_string(GitConfigReader::kMostFiles) +
         " files or 4 MiB; the rest is not read";
}

LetterCase LettersOf(const GitSettings& settings) {
  return settings.ignore_case ? LetterCase::kFold : LetterCase::kExact;
}

}  // namespace

GitExcludes::GitExcludes(const GitEnvironment& environment, const Sandbox& sandbox)
    : environment_(environment), sandbox_(sandbox) {
  GitConfigReader reader(environment_, {});
  ReadUserFiles(reader);
  user_ = reader.settings();
  user_conditional_ = reader.conditional();
  user_cut_ = reader.cut();
  user_failed_ = reader.failed();
  AddInputs(reader);
}

void GitExcludes::ReadUserFiles(GitConfigReader& reader) const {
  for (const std::string& file : environment_.configs) reader.Read(file, os::ReadSmallFile, ConfigWriter::kUser);
}

void GitExcludes::AddErrors(const GitConfigReader& reader, const std::string& shown,
                            std::vector<IgnoreFileError>& errors) const {
  if (reader.cut() || user_cut_) errors.push_back({reader.cut() ? shown : "", TooManyFiles()});
  const auto& failed = reader.failed() ? reader.failed() : user_failed_;
  if (!failed) return;
  errors.push_back({reader.failed() ? shown : "",
                    "git's configuration: " + failed->message() + "; what it says of ignore rules is not applied"});
}

// Of files that no tree names.
void GitExcludes::AddInputs(const GitConfigReader& reader) {
  for (const std::string& path : reader.looked_at()) AddInput(path);
}

GitSettings GitExcludes::SettingsOf(const GitFolder& git, std::vector<IgnoreFileError>& errors) {
  const std::string place = NormalPath(git.path);
  GitConfigReader reader(environment_, {place, [&] { return BranchOf(git.path, git.read, errors); }},
                         user_conditional_ ? GitSettings() : user_);
  if (user_conditional_) ReadUserFiles(reader);
  reader.Read(JoinPath(git.common, "config"), git.read, git.writer);
  if (reader.settings().worktree_config) reader.Read(JoinPath(git.path, "config.worktree"), git.read, git.writer);
  reader.UseOverrides(os::ReadSmallFile);
  for (const std::string& path : reader.looked_at()) {
    if (!IsOfAnotherMachine(path, git.path)) AddInput(path);
  }
  AddErrors(reader, ".git/config", errors);
  return reader.settings();
}

std::vector<std::string> GitExcludes::inputs() const {
  const Lock lock(mutex_);
  return {inputs_.begin(), inputs_.end()};
}

void GitExcludes::AddInput(std::string path) {
  const Lock lock(mutex_);
  inputs_.insert(std::move(path));
}

std::vector<std::string> GitExcludes::files() const {
  const Lock lock(mutex_);
  return {files_.begin(), files_.end()};
}

void GitExcludes::AddFile(std::string path) {
  const Lock lock(mutex_);
  files_.insert(std::move(path));
}

ReadFile GitExcludes::ReaderFor(const std::string& folder) const {
  const std::string also = sandbox_.InRoots(folder) ? "" : folder;
  return [this, also](const std::string& path, std::uint64_t limit) {
    return sandbox_.ReadNamedByTree(path, limit, also);
  };
}

// What ".git" is or names; its file "commondir" leads on to the main repository.
GitExcludes::GitFolder GitExcludes::FindGitFolder(const std::string& folder,
                                                  std::vector<IgnoreFileError>& errors) const {
  GitFolder git{JoinPath(folder, ".git"), "", ReaderFor(folder)};
  const auto pointer = git.read(git.path, kMaxPointer);
  AddError(pointer, ".git", errors);
  const std::string named = GitFolderNamedIn(folder, pointer);
  if (!named.empty() && !IsOfAnotherMachine(named, folder)) {
    git.path = named;
    if (NamesWorkTree(named, folder, errors)) {
      git.writer = ConfigWriter::kUserRepository;
      git.read = os::ReadSmallFile;
    }
  }
  git.common = git.path;
  const auto common = git.read(JoinPath(git.path, "commondir"), kMaxPointer);
  AddError(common, ".git/commondir", errors);
  if (!common.ok()) return git;
  std::string main = PathFrom(git.path, OwnForm(FirstLine(*common)));
  if (!IsOfAnotherMachine(main, git.path)) git.common = std::move(main);
  return git;
}

bool GitExcludes::IsRepository(const std::string& folder, std::vector<IgnoreFileError>& errors) {
  const ReadFile read = ReaderFor(folder);
  const std::string git = JoinPath(folder, ".git");
  for (const char* name : {"", "HEAD"}) AddInput(JoinPath(git, name));
  const auto head = read(JoinPath(git, "HEAD"), kMaxPointer);
  if (head.ok()) return true;
  const auto pointer = read(git, kMaxPointer);
  if (!GitFolderNamedIn(folder, pointer).empty()) return true;
  AddError(head, ".git/HEAD", errors);
  AddError(pointer, ".git", errors);
  return false;
}

GitExcludes::Excludes GitExcludes::ForRepository(const std::string& folder, std::vector<IgnoreFileError>& errors) {
  const GitFolder git = FindGitFolder(folder, errors);
  for (const char* name : {"commondir", "HEAD"}) AddInput(JoinPath(git.path, name));
  AddInput(JoinPath(git.common, "info/exclude"));
  const GitSettings settings = SettingsOf(git, errors);
  Excludes out;
  out.letters = LettersOf(settings);
  out.exclude = ReadRules(JoinPath(git.common, "info/exclude"), ".git/info/exclude", git.read, out.letters, errors);
  if (!settings.excludes_file) {
    out.global = Global(DefaultGlobal(), out.letters, errors);
    return out;
  }
  const std::string named = OwnForm(*settings.excludes_file);
  if (named.empty()) return out;
  // For git, a relative path starts at the top of the work tree, so the tree
  // decides what is there.
  if (settings.excludes_by_tree || !IsAbsolutePath(named)) {
    const std::string path = PathFrom(folder, named);
    if (IsOfAnotherMachine(path, folder)) return out;
    AddInput(path);
    out.global = ReadRules(path, "", ReaderFor(folder), out.letters, errors);
  } else {
    out.global = Global(named, out.letters, errors);
  }
  return out;
}

GitExcludes::Excludes GitExcludes::WithoutRepository(std::vector<IgnoreFileError>& errors) {
  GitConfigReader reader(environment_, {}, user_);
  reader.UseOverrides(os::ReadSmallFile);
  AddInputs(reader);
  AddErrors(reader, "", errors);
  const GitSettings& settings = reader.settings();
  Excludes out;
  out.letters = LettersOf(settings);
  const std::string path = OwnForm(settings.excludes_file.value_or(DefaultGlobal()));
  out.global = Global(IsAbsolutePath(path) ? path : "", out.letters, errors);
  return out;
}

std::string GitExcludes::DefaultGlobal() const {
  return environment_.config_home.empty() ? "" : JoinPath(environment_.config_home, "git/ignore");
}

RulesPtr GitExcludes::Global(const std::string& path, LetterCase letters, std::vector<IgnoreFileError>& errors) {
  if (path.empty()) return nullptr;
  const Lock lock(mutex_);
  inputs_.insert(path);
  if (path != last_path_ || letters != last_letters_) {
    last_errors_.clear();
    last_rules_ = ReadRules(path, "", os::ReadSmallFile, letters, last_errors_);
    last_path_ = path;
    last_letters_ = letters;
  }
  // Each repository says it: which of them comes first depends on the threads.
  errors.insert(errors.end(), last_errors_.begin(), last_errors_.end());
  return last_rules_;
}

}  // namespace forge
