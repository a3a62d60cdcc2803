#include "tree/lister.h"

#include <algorithm>
#include <cerrno>

#include "base/unicode.h"
#include "tree/paced_sort.h"

namespace forge {

struct Lister::Context {
  Folder& folder;
  int fd = -1;
  std::string absolute;  // the folder's, with a '/' at the end
  std::string real;      // likewise, where it really is; only behind a link
  std::size_t root_size = 0;
  std::string buffer;  // the path of the entry being looked at
  Pace* pace = nullptr;
  std::vector<LeftOutEntry> left_out = {};
};

struct Lister::Found {
  std::string_view absolute;  // lexical
  std::string_view relative;
  std::string_view name;
  bool is_folder = false;
  bool is_link = false;
  std::string error;
  // For a link: where it leads.
  std::string real;
  os::OsResult<os::FileInfo> info = os::FileInfo();
};

namespace {

// What an entry costs beside patterns (see Pace): about a microsecond, and ten
// where it is opened.
constexpr std::uint64_t kStepsPerEntry = 1000;

std::string WithSlash(std::string path) {
  if (!path.ends_with('/')) path.push_back('/');
  return path;
}

Item::Extra& ExtraOf(Item& item) {
  if (!item.extra) item.extra = std::make_unique<Item::Extra>();
  return *item.extra;
}

// Names are nearly always ASCII; then the key is the name.
void SetName(Item& item, std::string name) {
  item.name = std::move(name);
  if (std::all_of(item.name.begin(), item.name.end(), [](char c) { return (c & 0x80) == 0; })) return;
  std::string key = SortKey(item.name);
  if (key != item.name) ExtraOf(item).key = std::move(key);
}

}  // namespace

Lister::Lister(const SearchRoot& root, const WalkOptions& options, const Deadline& deadline)
    : root_(root), sandbox_(root.sandbox()), options_(options), deadline_(deadline) {
  if (options_.left_out != nullptr) {
    with_hidden_ = options_.rules;
    with_hidden_.traversal.hidden = true;
  }
  if (options_.rules.traversal.no_ignore) return;
  excludes_ = std::make_unique<GitExcludes>(options_.git ? *options_.git : GitEnvironment::OfProcess(), sandbox_);
}

FolderPtr Lister::MakeRoot() {
  auto folder = std::make_shared<Folder>();
  if (excludes_) folder->scope = IgnoreScope::Above(root_, *excludes_, errors_above_);
  return folder;
}

FolderPtr Lister::Descend(const std::string& relative) {
  FolderPtr folder = MakeRoot();
  for (std::size_t begin = 0; begin < relative.size();) {
    Context context{.folder = *folder, .absolute = {}, .real = {}, .buffer = {}, .left_out = {}};
    const auto fd = Open(*folder);
    if (!fd.ok() && MeansNoFile(fd.error())) return nullptr;
    if (!fd.ok()) {
      AddErrors(context, {{"", fd.error().message()}});
    } else if (folder->scope) {
      context.fd = fd->get();
      EnterScope(context, RuleFiles(context));
    }
    const std::size_t end = std::min(relative.find('/', begin), relative.size());
    auto child = std::make_shared<Folder>();
    child->path = relative.substr(0, end);
    child->scope = folder->scope;
    child->items = std::move(folder->items);  // errors
    folder = std::move(child);
    begin = end + 1;
  }
  return folder;
}

// The entries of a folder that hold ignore rules. An error becomes an item.
std::vector<os::DirEntry> Lister::RuleFiles(Context& context) const {
  std::vector<os::DirEntry> entries;
  for (const char* name : {".ignore", ".gitignore", ".git"}) {
    const auto info = os::StatEntry(context.fd, name);
    if (info.ok()) {
      entries.push_back({name, info->type});
    } else if (!MeansNoFile(info.error())) {
      AddErrors(context, {{name, info.error().message() + "; its rules are not applied"}});
    }
  }
  return entries;
}

void Lister::List(Folder& folder, const std::atomic<bool>& stop) {
  folders_listed_.fetch_add(1, std::memory_order_relaxed);
  Context context{
      .folder = folder, .absolute = WithSlash(JoinPath(root_.folder(), folder.path)), .real = {}, .buffer = {}};
  context.root_size = WithSlash(root_.folder()).size();
  if (!folder.real.empty()) context.real = WithSlash(folder.real);
  Pace pace(deadline_, &stop);
  context.pace = &pace;
  folder.complete = ListEntries(context, pace);
  folder.scope = nullptr;  // the subfolders have it
}

// False when the time is over.
bool Lister::ListEntries(Context& context, Pace& pace) {
  Folder& folder = context.folder;
  const auto fd = Open(folder);
  if (!fd.ok()) {
    const int code = fd.error().code;
    const bool gone = code == ENOENT || code == ENOTDIR;
    if (!gone || folder.path.empty()) folder.error = fd.error().message();
    return true;
  }
  context.fd = fd->get();
  if (options_.before_listing) options_.before_listing(context.fd, JoinPath(root_.folder(), folder.path));
  if (options_.rules.traversal.follow && IsLoop(context, context.fd)) return true;
  auto entries = os::ListFolder(context.fd, deadline_);
  if (!entries.ok()) {
    if (entries.error().code == ECANCELED) return false;
    if (entries.error().code != ENOENT) folder.error = entries.error().message();
    return true;
  }
  if (folder.scope) EnterScope(context, *entries);
  for (os::DirEntry& entry : *entries) {
    if (pace.Over(kStepsPerEntry)) return false;
    Add(context, entry);
  }
  if (pace.over() || !PacedSort(folder.items, ComesBefore, pace)) return false;
  if (options_.left_out != nullptr) options_.left_out->Replace(folder.path, std::move(context.left_out));
  return true;
}

os::OsResult<os::Fd> Lister::Open(const Folder& folder) const {
  if (folder.real.empty()) return os::OpenFolderBeneath(root_.fd(), folder.path);
  // The sandbox admitted it when its parent was listed; if it no longer does,
  // the folder counts as missing.
  auto root = SearchRoot::Open(sandbox_, folder.real, false);
  if (!root.ok())
    return os::OsError{root.error().code == EXDEV || root.error().code == ELOOP ? ENOENT : root.error().code};
  return std::move(*root).TakeFd();
}

bool Lister::IsLoop(Context& context, int fd) const {
  const auto info = os::Stat(fd);
  if (!info.ok()) return false;
  for (const Ancestor* a = context.folder.ancestor.get(); a != nullptr; a = a->parent.get()) {
    if (a->device == info->device && a->inode == info->inode) return true;
  }
  context.folder.ancestor =
      std::make_shared<Ancestor>(Ancestor{info->device, info->inode, std::move(context.folder.ancestor)});
  return false;
}

void Lister::EnterScope(Context& context, const std::vector<os::DirEntry>& entries) {
  IgnoreSources sources;
  for (const os::DirEntry& entry : entries) {
    if (!entry.name.starts_with('.')) continue;
    const bool regular = entry.type == os::FileType::kRegular;
    if (entry.name == ".ignore") sources.ignore = regular;
    if (entry.name == ".gitignore") sources.gitignore = regular;
    if (entry.name == ".git") sources.repository = entry.type != os::FileType::kOther;
  }
  std::vector<IgnoreFileError> errors;
  const std::string path = JoinPath(root_.folder(), context.folder.path);
  context.folder.scope = IgnoreScope::Enter(context.folder.scope, context.fd, path, sources, *excludes_, errors);
  context.folder.repository = sources.repository && context.folder.scope->repository() == path;
  AddErrors(context, errors);
  if (!context.folder.path.empty()) return;
  root_in_repository_ = !context.folder.scope->repository().empty();
  // Errors above the root are reported at the root.
  for (IgnoreFileError& error : errors_above_) {
    error = {"", error.file.empty() ? error.error : error.file + " above: " + error.error};
  }
  AddErrors(context, errors_above_);
}

void Lister::AddErrors(Context& context, const std::vector<IgnoreFileError>& errors) const {
  for (const IgnoreFileError& error : errors) {
    Item item;
    item.name = error.file;
    item.kind = Item::Kind::kError;
    ExtraOf(item).error = error.error;
    context.folder.items.push_back(std::move(item));
  }
}

void Lister::Add(Context& context, os::DirEntry& entry) const {
  if (entry.type == os::FileType::kOther) return;
  if (options_.rules.HidesName(entry.name)) return NoteLeftOut(context, entry, LeftOutBy::kHidden);
  Found found;
  found.is_link = entry.type == os::FileType::kSymlink;
  found.is_folder = entry.type == os::FileType::kDirectory;
  found.name = entry.name;
  if (found.is_link && !(options_.rules.traversal.follow && Follow(context, found))) return;
  context.buffer.assign(context.absolute).append(entry.name);
  found.absolute = context.buffer;
  found.relative = found.absolute.substr(context.root_size);
  const Eligibility verdict = JudgeFound(context, found);
  if (verdict == Eligibility::kIgnored) return NoteLeftOut(context, entry, LeftOutBy::kIgnored);
  if (verdict != Eligibility::kEligible && verdict != Eligibility::kDenied) return;

  Item item;
  item.is_folder = found.is_folder;
  if (verdict == Eligibility::kDenied) {
    item.kind = Item::Kind::kDenied;
  } else if (!found.error.empty()) {
    item.kind = Item::Kind::kError;
    ExtraOf(item).error = std::move(found.error);
  } else if (found.is_folder) {
    item.kind = Item::Kind::kFolder;
    ExtraOf(item).folder = Child(context, found);
  } else if (options_.stat) {
    const auto info = StatFound(context, found);
    ExtraOf(item).info = info.ok() ? *info : os::FileInfo();
  }
  SetName(item, std::move(entry.name));
  context.folder.items.push_back(std::move(item));
}

// Only what one change of the request would add: an entry that is hidden and
// ignored is not noted.
void Lister::NoteLeftOut(Context& context, const os::DirEntry& entry, LeftOutBy by) const {
  if (options_.left_out == nullptr || !context.real.empty() || entry.name == ".git") return;
  if (entry.type == os::FileType::kSymlink) return;
  context.buffer.assign(context.absolute).append(entry.name);
  const std::string_view absolute = context.buffer;
  const Entry judged = {.relative = absolute.substr(context.root_size),
                        .name = entry.name,
                        .is_folder = entry.type == os::FileType::kDirectory,
                        .folder_included = context.folder.included,
                        .ignore = by == LeftOutBy::kHidden ? context.folder.scope.get() : nullptr,
                        .sandbox = &sandbox_,
                        .absolute = absolute,
                        .pace = context.pace};
  if (Judge(with_hidden_, judged) != Eligibility::kEligible) return;
  context.left_out.push_back({std::string(judged.relative), judged.is_folder, by});
}

// Finds what a symlink leads to. False: a search may not see it, or cannot
// search it.
bool Lister::Follow(const Context& context, Found& found) const {
  const std::string_view folder = context.real.empty() ? context.absolute : context.real;
  const auto target = sandbox_.Follow(std::string(folder.substr(0, std::max<std::size_t>(folder.size() - 1, 1))),
                                      context.fd, found.name);
  if (!target.ok()) {
    if (target.error().code == EXDEV) return false;
    found.error = "broken link: " + target.error().message();
    return true;
  }
  found.is_folder = target->is_folder();
  if (!found.is_folder && target->type() != os::FileType::kRegular) return false;
  found.real = target->path();
  found.info = target->Stat();
  const auto readable = found.is_folder ? target->OpenFolder() : target->OpenFile();
  if (readable.ok()) return true;
  found.error = "broken link: " + readable.error().message();
  found.is_folder = false;
  return true;
}

os::OsResult<os::FileInfo> Lister::StatFound(const Context& context, const Found& found) {
  return found.is_link ? found.info : os::StatEntry(context.fd, std::string(found.name));
}

Eligibility Lister::JudgeFound(const Context& context, const Found& found) const {
  Entry entry = {.relative = found.relative,
                 .name = found.name,
                 .is_folder = found.is_folder,
                 .folder_included = context.folder.included,
                 .ignore = context.folder.scope.get(),
                 .sandbox = &sandbox_,
                 .absolute = found.absolute,
                 .pace = context.pace};
  if (context.real.empty()) return Judge(options_.rules, entry);
  const std::string real = context.real + std::string(found.name);
  entry.real = real;
  return Judge(options_.rules, entry);
}

FolderPtr Lister::Child(const Context& context, const Found& found) const {
  const Folder& parent = context.folder;
  auto child = std::make_shared<Folder>();
  child->path = found.relative;
  child->scope = parent.scope;
  child->ancestor = parent.ancestor;
  if (found.is_link) {
    child->real = found.real;
  } else if (!parent.real.empty()) {
    child->real = JoinPath(parent.real, found.name);
  }
  child->included = parent.included || options_.rules.IncludesWhole(found.relative, context.pace);
  return child;
}

}  // namespace forge
