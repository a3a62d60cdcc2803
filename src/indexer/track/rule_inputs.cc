#include "indexer/track/rule_inputs.h"

#include <algorithm>
#include <iterator>

#include "os/named_file.h"

namespace forge::indexer {

bool IsRuleFile(std::string_view name) { return name == ".gitignore" || name == ".ignore" || name == ".git"; }

RuleInputs::RuleInputs(const std::vector<std::string>& paths) {
  inputs_.reserve(paths.size());
  for (const std::string& path : paths) inputs_.push_back(Look(path));
}

RuleInputs::Input RuleInputs::Look(const std::string& path) {
  Input input{path, 0, {}};
  const auto info = os::StatPath(path);
  if (!info.ok()) {
    input.error = info.error().code;
    return input;
  }
  // We remember only that a folder such as .git exists: its stamps change with
  // every commit.
  if (info->type == os::FileType::kDirectory) {
    input.info.type = info->type;
  } else {
    input.info = *info;
  }
  return input;
}

bool RuleInputs::Has(const std::string& path) const {
  const auto at = std::lower_bound(inputs_.begin(), inputs_.end(), path,
                                   [](const Input& input, const std::string& other) { return input.path < other; });
  return at != inputs_.end() && at->path == path;
}

bool RuleInputs::HasAll(const std::vector<std::string>& paths) const {
  return std::all_of(paths.begin(), paths.end(), [&](const std::string& path) { return Has(path); });
}

void RuleInputs::Add(const std::vector<std::string>& paths) {
  std::vector<Input> added;
  for (const std::string& path : paths) {
    if (!Has(path)) added.push_back(Look(path));
  }
  const auto middle = static_cast<std::ptrdiff_t>(inputs_.size());
  std::move(added.begin(), added.end(), std::back_inserter(inputs_));
  std::inplace_merge(inputs_.begin(), inputs_.begin() + middle, inputs_.end(),
                     [](const Input& a, const Input& b) { return a.path < b.path; });
}

bool RuleInputs::Changed() const {
  return std::any_of(inputs_.begin(), inputs_.end(), [](const Input& input) {
    const Input now = Look(input.path);
    return now.error != input.error || now.info != input.info;
  });
}

bool RuleInputs::Racy(std::int64_t began_ns, std::int64_t now_ns, std::int64_t granularity_ns) const {
  // A stamp from the future is not that of a write just now. If it counted, the
  // rules would be in doubt, and the tree walked again, until that time has come.
  const std::int64_t future = now_ns + granularity_ns;
  const auto recent = [&](std::int64_t stamp) { return stamp > began_ns - granularity_ns && stamp <= future; };
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [&](const Input& input) { return recent(input.info.mtime_ns) || recent(input.info.ctime_ns); });
}

}  // namespace forge::indexer
