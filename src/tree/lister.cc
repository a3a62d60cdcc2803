#include "tree/lister.h"

#include <algorithm>
#include <cerrno>

#include "base/unicode.h"

namespace forge {

struct Lister::Context {
  Folder& folder;
  int fd = -1;
  std::string absolute;  // the folder's, with a '/' at the end
  std::string real;      // likewise, where the links led; only behind one
  std::size_t root_size = 0;
  std::string buffer;  // the path of the entry being looked at
};

struct Lister::Found {
  std::string_view absolute;  // lexical
  std::string_view relative;
  std::string_view name;
  bool is_folder = false;
  bool is_link = false;
  std::string error;
};

namespace {

std::string WithSlash(std::string path) {
  if (!path.ends_with('/')) path.push_back('/');
  return path;
}

bool AnyMatches(const std::vector<Glob>& globs, std::string_view path, bool is_folder) {
  return std::any_of(globs.begin(), globs.end(), [&](const Glob& g) { return g.Matches(path, is_folder); });
}

Item::Extra& ExtraOf(Item& item) {
  if (!item.extra) item.extra = std::make_unique<Item::Extra>();
  return *item.extra;
}

// Names are ASCII nearly always; then the key is the name.
void SetName(Item& item, std::string name) {
  item.name = std::move(name);
  if (std::all_of(item.name.begin(), item.name.end(), [](char c) { return (c & 0x80) == 0; })) return;
  std::string key = SortKey(item.name);
  if (key != item.name) ExtraOf(item).key = std::move(key);
}

}  // namespace

Lister::Lister(const Sandbox& sandbox, std::string root, const WalkOptions& options)
    : sandbox_(sandbox), root_(std::move(root)), options_(options), root_fd_(OpenRoot()) {
  if (options_.no_ignore) return;
  excludes_ = std::make_unique<GitExcludes>(options_.git ? *options_.git : GitEnvironment::OfProcess());
}

// The path was checked by the sandbox. What it leads to now must still be that.
os::OsResult<os::Fd> Lister::OpenRoot() const {
  auto fd = os::OpenFolder(root_);
  if (!fd.ok()) return fd;
  const auto real = os::RealPath(fd->get());
  if (!real.ok()) return real.error();
  if (*real != root_) return os::OsError{ELOOP};
  return fd;
}

FolderPtr Lister::MakeRoot() {
  auto folder = std::make_shared<Folder>();
  if (excludes_) folder->scope = IgnoreScope::Above(root_, *excludes_, errors_above_);
  return folder;
}

FolderPtr Lister::Descend(const std::string& relative) {
  FolderPtr folder = MakeRoot();
  for (std::size_t begin = 0; begin < relative.size();) {
    Context context{.folder = *folder, .absolute = {}, .real = {}, .buffer = {}};
    const auto fd = Open(context);
    if (!fd.ok()) return nullptr;
    if (folder->scope) {
      context.fd = fd->get();
      std::vector<os::DirEntry> entries;
      for (const char* name : {".ignore", ".gitignore", ".git"}) {
        if (const auto info = os::StatEntry(context.fd, name); info.ok()) entries.push_back({name, info->type});
      }
      EnterScope(context, entries);
    }
    const std::size_t end = std::min(relative.find('/', begin), relative.size());
    auto child = std::make_shared<Folder>();
    child->path = relative.substr(0, end);
    child->scope = folder->scope;
    folder = std::move(child);
    begin = end + 1;
  }
  return folder;
}

void Lister::List(Folder& folder, const std::atomic<bool>& stop) {
  folders_listed_.fetch_add(1, std::memory_order_relaxed);
  if (options_.before_listing) options_.before_listing(JoinPath(root_, folder.path));
  Context context{.folder = folder, .absolute = WithSlash(JoinPath(root_, folder.path)), .real = {}, .buffer = {}};
  context.root_size = WithSlash(root_).size();
  const auto fd = Open(context);
  if (!fd.ok()) {
    const int code = fd.error().code;
    const bool gone = code == ENOENT || code == ENOTDIR;
    if (!gone || folder.path.empty()) folder.error = fd.error().message();
    return;
  }
  context.fd = fd->get();
  if (options_.follow && IsLoop(context, context.fd)) return;
  auto entries = os::ListFolder(context.fd);
  if (!entries.ok()) {
    if (entries.error().code != ENOENT) folder.error = entries.error().message();
    return;
  }
  folder.repository = std::any_of(entries->begin(), entries->end(), [](const auto& e) { return e.name == ".git"; });
  if (folder.scope) EnterScope(context, *entries);
  std::size_t seen = 0;
  for (os::DirEntry& entry : *entries) {
    if (++seen % 1024 == 0 && stop.load(std::memory_order_relaxed)) return;
    Add(context, entry);
  }
  std::sort(folder.items.begin(), folder.items.end(), ComesBefore);
}

os::OsResult<os::Fd> Lister::Open(Context& context) const {
  if (!root_fd_.ok()) return root_fd_.error();
  const Folder& folder = context.folder;
  if (!folder.behind_link) return os::OpenFolderBeneath(root_fd_->get(), folder.path);
  auto fd = os::OpenFollowing(root_fd_->get(), folder.path, true);
  if (!fd.ok()) return fd;
  auto real = os::RealPath(fd->get());
  if (!real.ok()) return real.error();
  // It was admitted when its parent was listed; if no longer, it is not there.
  if (!sandbox_.Admits(*real, true)) return os::OsError{ENOENT};
  context.real = WithSlash(std::move(*real));
  return fd;
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
  const std::string path = JoinPath(root_, context.folder.path);
  context.folder.scope = IgnoreScope::Enter(context.folder.scope, context.fd, path, sources, *excludes_, errors);
  AddErrors(context, errors);
  if (!context.folder.path.empty()) return;
  // What went wrong above the root is said at the root.
  for (IgnoreFileError& error : errors_above_) error = {"", error.file + " above: " + error.error};
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
  if (!options_.hidden && entry.name.starts_with('.')) return;
  Found found;
  found.is_link = entry.type == os::FileType::kSymlink;
  found.is_folder = entry.type == os::FileType::kDirectory;
  found.name = entry.name;
  if (found.is_link && !(options_.follow && Follow(context, found))) return;
  if (found.is_folder && !options_.recursive) return;
  context.buffer.assign(context.absolute).append(entry.name);
  found.absolute = context.buffer;
  found.relative = found.absolute.substr(context.root_size);
  if (!Wanted(context, found)) return;

  Item item;
  item.is_folder = found.is_folder;
  if (Denied(context, found)) {
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

// What a symlink leads to. False: nothing that a search may see, or nothing
// that can be searched.
bool Lister::Follow(const Context& context, Found& found) const {
  const auto fd = os::OpenFollowing(context.fd, std::string(found.name), false);
  if (!fd.ok()) {
    if (fd.error().code == ENXIO) return false;  // a socket
    found.error = "broken link: " + fd.error().message();
    return true;
  }
  const auto info = os::Stat(fd->get());
  const auto real = os::RealPath(fd->get());
  if (!info.ok() || !real.ok()) return false;
  found.is_folder = info->type == os::FileType::kDirectory;
  if (!found.is_folder && info->type != os::FileType::kRegular) return false;
  return sandbox_.Admits(*real, found.is_folder);
}

os::OsResult<os::FileInfo> Lister::StatFound(const Context& context, const Found& found) const {
  const std::string name(found.name);
  if (!found.is_link) return os::StatEntry(context.fd, name);
  const auto fd = os::OpenFollowing(context.fd, name, false);
  if (!fd.ok()) return fd.error();
  return os::Stat(fd->get());
}

bool Lister::Wanted(const Context& context, const Found& found) const {
  if (AnyMatches(options_.exclude, found.relative, found.is_folder)) return false;
  const bool filtered = !options_.include.empty() && !context.folder.included && !found.is_folder;
  if (filtered && !AnyMatches(options_.include, found.relative, false)) return false;
  const ScopePtr& scope = context.folder.scope;
  return !scope || !scope->Ignores(found.absolute, found.name, found.is_folder);
}

bool Lister::Denied(const Context& context, const Found& found) const {
  if (sandbox_.DeniesEntry(found.absolute, found.is_folder)) return true;
  if (context.real.empty()) return false;
  return sandbox_.DeniesEntry(context.real + std::string(found.name), found.is_folder);
}

FolderPtr Lister::Child(const Context& context, const Found& found) const {
  const Folder& parent = context.folder;
  auto child = std::make_shared<Folder>();
  child->path = found.relative;
  child->scope = parent.scope;
  child->ancestor = parent.ancestor;
  child->behind_link = parent.behind_link || found.is_link;
  child->included = parent.included || std::any_of(options_.include.begin(), options_.include.end(),
                                                   [&](const Glob& g) { return g.MatchesWholeFolder(found.relative); });
  return child;
}

}  // namespace forge
