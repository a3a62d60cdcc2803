#include "keyword/scope.h"

#include <algorithm>

#include "base/path.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "os/home.h"
#include "os/named_file.h"

namespace forge::keyword {
namespace {

// The nearest folder upwards with a .git; "" if there is none.
std::string GitTop(std::string folder) {
  while (true) {
    if (os::StatPath(JoinPath(folder, ".git")).ok()) return folder;
    if (folder == PathRoot(folder)) return "";
    folder = std::string(ParentPath(folder));
  }
}

// The outermost of the roots that hold the working folder.
std::string OutermostRoot(const Sandbox& sandbox) {
  std::string outermost = sandbox.working_dir();
  for (const std::string& root : sandbox.roots()) {
    if (IsWithin(sandbox.working_dir(), root) && root.size() < outermost.size()) outermost = root;
  }
  return outermost;
}

bool IsSameFolder(const std::string& path, const std::string& canonical) {
  const auto other = os::CanonicalPath(path);
  return other.ok() && *other == canonical;
}

}  // namespace

Result<std::string> FindScope(const Sandbox& sandbox, const std::vector<std::string>& named_roots,
                              const std::string& home) {
  const std::string top = GitTop(sandbox.working_dir());
  std::string scope = sandbox.working_dir();
  if (!top.empty()) {
    const std::string limit = OutermostRoot(sandbox);
    scope = IsWithin(top, limit) ? top : limit;
  }
  const bool too_much = os::HoldsHome(scope, home);
  const bool named = std::any_of(named_roots.begin(), named_roots.end(),
                                 [&](const std::string& root) { return IsSameFolder(root, scope); });
  if (named || !too_much) return scope;
  return ExecutionFailed("the folder to search would be " + Sanitize(LossyUtf8(scope)) +
                         (scope == PathRoot(scope) ? "" : " (the home folder, or one that holds it)") +
                         ", which is too much to send excerpts of by accident; start in a project, or name the folder "
                         "with --root or tools.sandbox.allowed_roots");
}

}  // namespace forge::keyword
