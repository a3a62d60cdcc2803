#include "cli/mcp_roots.h"

#include "base/path.h"
#include "os/home.h"
#include "os/named_file.h"

namespace forge::cli {
namespace {

// The nearest folder upwards that has a .git (a file, in a linked work tree);
// "" if there is none.
std::string GitTop(const std::string& folder) {
  for (std::string at = os::ResolvedPath(folder);; at = std::string(ParentPath(at))) {
    if (os::StatPath(JoinPath(at, ".git")).ok()) return at;
    if (BelowRoot(at).empty()) return "";
  }
}

struct Choice {
  std::vector<std::string> roots;
  std::string origin;
};

// Roots from flags, configuration or environment; empty if none of them has
// any.
Choice Configured(const RootSources& sources) {
  if (!sources.flags.empty()) return {sources.flags, "--root"};
  if (!sources.sandbox.allowed_roots.empty()) {
    return {sources.sandbox.allowed_roots, "allowed_roots of the configuration"};
  }
  for (const char* name : {"FORGE_SEARCH_ROOT", "CLAUDE_PROJECT_DIR"}) {
    if (const std::string value = sources.environment.Get(name); !value.empty()) return {{value}, name};
  }
  return {};
}

std::vector<std::string> Folders(const std::vector<std::string>& paths) {
  std::vector<std::string> folders;
  for (const std::string& path : paths) {
    if (os::IsFolder(path)) folders.push_back(path);
  }
  return folders;
}

Choice Choose(const RootSources& sources) {
  if (Choice configured = Configured(sources); !configured.roots.empty()) return configured;
  if (auto folders = Folders(sources.client); !folders.empty()) return {std::move(folders), "the roots of the client"};
  if (const std::string top = GitTop(sources.folder); !top.empty()) return {{top}, "the git work tree"};
  return {{sources.folder}, "the current folder"};
}

}  // namespace

bool WantsClientRoots(const RootSources& sources) { return Configured(sources).roots.empty(); }

Result<std::vector<std::string>> ChooseRoots(const RootSources& sources) {
  if (!sources.flags.empty()) return sources.flags;
  Choice choice = Choose(sources);
  for (const std::string& root : choice.roots) {
    const std::string folder = os::ResolvedPath(root);
    if (!os::HoldsHome(folder, sources.environment.Get("HOME"))) continue;
    return ExecutionFailed("the folder to search would be " + folder +
                           (folder == PathRoot(folder) ? "" : " (the home folder, or one that holds it)") + ", from " +
                           choice.origin +
                           ", which is too much to search by accident; start the server in the project, or as "
                           "`forge-search mcp --root FOLDER`");
  }
  return std::move(choice.roots);
}

}  // namespace forge::cli
