#include "tree/eligibility.h"

namespace forge {
namespace {

Eligibility JudgeGlobs(const EligibilityRules& rules, const Entry& entry) {
  if (rules.exclude.Matches(entry.relative, entry.is_folder, entry.pace)) return Eligibility::kExcluded;
  const bool needs_include = !rules.include.empty() && !entry.is_folder && !entry.folder_included;
  if (needs_include && !rules.include.Matches(entry.relative, false, entry.pace)) return Eligibility::kNotIncluded;
  return Eligibility::kEligible;
}

bool IsDenied(const Entry& entry) {
  if (entry.sandbox == nullptr) return false;
  if (entry.sandbox->DeniesEntry(entry.absolute, entry.is_folder)) return true;
  return !entry.real.empty() && entry.sandbox->DeniesEntry(entry.real, entry.is_folder);
}

}  // namespace

bool EligibilityRules::filters_paths() const {
  return !traversal.hidden || !recursive || !include.empty() || !exclude.empty();
}

bool EligibilityRules::IncludesWhole(std::string_view folder, Pace* pace) const {
  return include.MatchesWholeFolder(folder, pace);
}

Eligibility Judge(const EligibilityRules& rules, const Entry& entry) {
  if (rules.HidesName(entry.name)) return Eligibility::kHidden;
  if (entry.is_folder && !rules.recursive) return Eligibility::kTooDeep;
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
