#include "search/path_filter.h"

namespace forge {
namespace {

std::string_view NameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

PathFilter::PathFilter(const EligibilityRules& rules, bool sees_hidden, Pace* pace) : rules_(rules), pace_(pace) {
  // No test is needed if no path has a hidden part.
  if (!sees_hidden) rules_.traversal.hidden = true;
}

// Checks each folder by itself, as a walk does on its way down.
PathFilter::Folder PathFilter::Judged(std::string_view folder) const {
  Folder judged;
  for (std::size_t end = folder.find('/'); !folder.empty(); end = folder.find('/', end + 1)) {
    const std::string_view part = folder.substr(0, end);
    const Entry entry = {.relative = part, .name = NameOf(part), .is_folder = true, .pace = pace_};
    judged.eligible = judged.eligible && Judge(rules_, entry) == Eligibility::kEligible;
    judged.included = judged.included || rules_.IncludesWhole(part, pace_);
    if (end == std::string_view::npos) break;
  }
  return judged;
}

bool PathFilter::Wants(std::string_view path) {
  if (open()) return true;
  const bool is_folder = path.ends_with('/');
  if (is_folder) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  if (folder != folder_path_) {
    folder_ = Judged(folder);
    folder_path_ = folder;
  }
  if (!folder_.eligible) return false;
  const bool wanted = Judge(rules_, {.relative = path,
                                     .name = NameOf(path),
                                     .is_folder = is_folder,
                                     .folder_included = folder_.included,
                                     .pace = pace_}) == Eligibility::kEligible;
  return wanted && (pace_ == nullptr || !pace_->over());
}

}  // namespace forge
