#include <algorithm>

#include "search/eligible_stream.h"

namespace forge {
namespace {

bool AnyMatches(const std::vector<Glob>& globs, std::string_view path, bool is_folder) {
  return std::any_of(globs.begin(), globs.end(), [&](const Glob& glob) { return glob.Matches(path, is_folder); });
}

bool HasHiddenPart(std::string_view path) { return path.starts_with('.') || path.find("/.") != path.npos; }

}  // namespace

PathFilter::PathFilter(const CheckedRequest& request, bool sees_hidden)
    : request_(request),
      drops_hidden_(sees_hidden && !request.request.hidden),
      open_(!drops_hidden_ && request.include.empty() && request.exclude.empty() && request.request.recursive) {}

// As the walk does on its way down: each folder is asked about by itself.
PathFilter::Verdict PathFilter::Judge(std::string_view folder) {
  Verdict verdict;
  for (std::size_t end = folder.find('/'); !folder.empty(); end = folder.find('/', end + 1)) {
    const std::string_view part = folder.substr(0, end);
    if (AnyMatches(request_.exclude, part, true)) verdict.pruned = true;
    verdict.included = verdict.included || std::any_of(request_.include.begin(), request_.include.end(),
                                                       [&](const Glob& glob) { return glob.MatchesWholeFolder(part); });
    if (end == folder.npos) break;
  }
  return verdict;
}

bool PathFilter::Wants(std::string_view path) {
  if (open_) return true;
  const bool is_folder = path.ends_with('/');
  if (is_folder) path.remove_suffix(1);
  if (drops_hidden_ && HasHiddenPart(path)) return false;
  const std::size_t slash = path.rfind('/');
  const bool nested = slash != path.npos;
  if (!request_.request.recursive && (nested || is_folder)) return false;
  const std::string_view folder = nested ? path.substr(0, slash) : std::string_view();
  if (!known_ || folder != folder_) {
    verdict_ = Judge(folder);
    folder_ = folder;
    known_ = true;
  }
  if (verdict_.pruned || AnyMatches(request_.exclude, path, is_folder)) return false;
  return is_folder || request_.include.empty() || verdict_.included || AnyMatches(request_.include, path, false);
}

}  // namespace forge
