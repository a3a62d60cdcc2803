#include "tree/eligibility.h"

#include <algorithm>

namespace forge {
namespace {

bool MatchesEither(const GlobSet& exact, const GlobSet& any_case, const Entry& entry) {
  return exact.Matches(entry.relative, entry.is_folder, entry.pace) ||
         any_case.Matches(entry.relative, entry.is_folder, entry.pace);
}

bool IsOfType(const EligibilityRules& rules, const Entry& entry) {
  if (entry.is_folder) return true;
  if (rules.exclude_types.Matches(entry.relative, false, entry.pace)) return false;
  return rules.types.empty() || rules.types.Matches(entry.relative, false, entry.pace);
}

Eligibility JudgeGlobs(const EligibilityRules& rules, const Entry& entry) {
  if (MatchesEither(rules.exclude, rules.exclude_any_case, entry)) return Eligibility::kExcluded;
  const bool needs_include = rules.has_include() && !entry.is_folder && !entry.folder_included;
  if (needs_include && !MatchesEither(rules.include, rules.include_any_case, entry)) return Eligibility::kNotIncluded;
  return IsOfType(rules, entry) ? Eligibility::kEligible : Eligibility::kNotIncluded;
}

// How many folders and names a path has.
std::uint64_t Depth(std::string_view relative) {
  return 1 + static_cast<std::uint64_t>(std::count(relative.begin(), relative.end(), '/'));
}

// A folder is too deep if the files directly in it are.
bool IsTooDeep(const EligibilityRules& rules, const Entry& entry) {
  if (entry.is_folder && !rules.recursive) return true;
  if (rules.max_depth == UINT64_MAX) return false;
  return Depth(entry.relative) + (entry.is_folder ? 1 : 0) > rules.max_depth;
}

bool IsDenied(const Entry& entry) {
  if (entry.sandbox == nullptr) return false;
  if (entry.sandbox->DeniesEntry(entry.absolute, entry.is_folder)) return true;
  return !entry.real.empty() && entry.sandbox->DeniesEntry(entry.real, entry.is_folder);
}

}  // namespace

bool EligibilityRules::filters_paths() const {
  return !traversal.hidden || !recursive || max_depth != UINT64_MAX || has_include() || !exclude.empty() ||
         !exclude_any_case.empty() || !types.empty() || !exclude_types.empty();
}

bool EligibilityRules::IncludesWhole(std::string_view folder, Pace* pace) const {
  return include.MatchesWholeFolder(folder, pace) || include_any_case.MatchesWholeFolder(folder, pace);
}

Eligibility Judge(const EligibilityRules& rules, const Entry& entry) {
  if (rules.HidesName(entry.name)) return Eligibility::kHidden;
  if (IsTooDeep(rules, entry)) return Eligibility::kTooDeep;
  if (const Eligibility by_globs = JudgeGlobs(rules, entry); by_globs != Eligibility::kEligible) return by_globs;
  if (entry.ignore != nullptr && entry.ignore->Ignores(entry.absolute, entry.name, entry.is_folder, entry.pace)) {
    return Eligibility::kIgnored;
  }
  return IsDenied(entry) ? Eligibility::kDenied : Eligibility::kEligible;
}

Eligibility JudgeNamedFile(const EligibilityRules& rules, std::string_view name) {
  return JudgeGlobs(rules, {.relative = name, .name = name});
}

}  // namespace forge
