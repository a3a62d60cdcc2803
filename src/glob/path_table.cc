#include "glob/path_table.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace forge {
namespace {

std::string_view LastComponent(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "ext" of "a.ext"; empty without a dot.
std::string_view Extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

// Whether a component is a text in which no byte has a meaning of its own. A '/'
// in a class is no end of a component; but then the ']' of that class is in here.
bool IsPlain(std::string_view component) { return component.find_first_of("*?[]\\") == std::string_view::npos; }

void Lower(std::string_view text, std::string& out) {
  out.assign(text);
  std::transform(out.begin(), out.end(), out.begin(), LowerAscii);
}

}  // namespace

PathPattern MakePathPattern(std::string_view text, LetterCase letters) {
  PathPattern out{.wildcard = Wildcard(text, letters), .last = std::string(LastComponent(text))};
  if (letters == LetterCase::kFold) Lower(out.last, out.last);
  return out;
}

PathTable::PathTable(std::vector<PathPattern> patterns, LetterCase letters)
    : letters_(letters), patterns_(std::move(patterns)) {
  for (std::size_t i = 0; i < patterns_.size(); ++i) Add(static_cast<Index>(i));
}

void PathTable::Add(Index index) {
  const PathPattern& pattern = patterns_[static_cast<std::size_t>(index)];
  const Wildcard& wildcard = pattern.wildcard;
  if (wildcard.kind() == Wildcard::Kind::kNothing) return;
  const bool literal = wildcard.kind() == Wildcard::Kind::kLiteral;
  const std::string_view last = literal ? LastComponent(wildcard.text()) : std::string_view(pattern.last);
  if (literal || IsPlain(last)) return by_name_.Add(last, index);
  if (last.starts_with('*') && IsPlain(last.substr(1)) && last.find('.') != std::string_view::npos) {
    return by_extension_.Add(Extension(last), index);
  }
  others_.push_back({wildcard.name_letters(), index});
}

std::uint64_t PathTable::Groups::Bit(std::string_view key) {
  if (key.empty()) return 1;
  const auto mixed = static_cast<unsigned char>(key.front()) * 5U + static_cast<unsigned char>(key.back()) * 3U;
  return std::uint64_t{1} << ((mixed + key.size()) % 64);
}

void PathTable::Groups::Add(std::string_view key, Index index) {
  bits_ |= Bit(key);
  groups_[std::string(key)].push_back(index);
}

const std::vector<PathTable::Index>* PathTable::Groups::Find(std::string_view key) const {
  if ((bits_ & Bit(key)) == 0) return nullptr;
  const auto found = groups_.find(key);
  return found == groups_.end() ? nullptr : &found->second;
}

// One path that is looked up. Lower case is made only where it is needed.
class PathTable::Query {
 public:
  Query(const PathTable& table, std::string_view path, std::string_view name, bool is_folder, Pace* pace)
      : table_(table), path_(path), name_(name), is_folder_(is_folder), pace_(pace) {
    if (table.letters_ == LetterCase::kFold) name_ = LowerName(name);
  }

  Index Run() {
    if (const auto* group = table_.by_name_.Find(name_)) TryGroup(*group);
    if (const auto* group = table_.by_extension_.Find(Extension(name_))) TryGroup(*group);
    if (!table_.others_.empty()) TryOthers();
    return over_ ? -1 : best_;
  }

 private:
  // Each entry of a tree is looked up, so this should not allocate.
  std::string_view LowerName(std::string_view name) {
    if (name.size() > short_name_.size()) {
      Lower(name, long_name_);
      return long_name_;
    }
    std::transform(name.begin(), name.end(), short_name_.begin(), LowerAscii);
    return {short_name_.data(), name.size()};
  }

  std::string_view path() {
    if (table_.letters_ == LetterCase::kFold && lower_path_.empty()) {
      Lower(path_, lower_path_);
      path_ = lower_path_;
    }
    return path_;
  }

  // Whether the pattern decides, by a match or because the time is over.
  bool Try(Index index) {
    const PathPattern& pattern = table_.patterns_[static_cast<std::size_t>(index)];
    if (pattern.folder_only && !is_folder_) return false;
    const std::string_view text = pattern.basename ? name_ : path();
    over_ = pace_ != nullptr && pace_->Over(pattern.wildcard.CostOn(text));
    if (over_) return true;
    if (!pattern.wildcard.Matches(text)) return false;
    best_ = index;
    return true;
  }

  void TryGroup(const std::vector<Index>& group) {
    for (auto it = group.rbegin(); it != group.rend() && *it > best_; ++it) {
      if (Try(*it)) return;
    }
  }

  void TryOthers() {
    const std::uint64_t letters = LetterMask(name_);
    const auto& others = table_.others_;
    if (pace_ != nullptr && pace_->Over(others.size())) over_ = true;
    for (auto it = others.rbegin(); !over_ && it != others.rend() && it->index > best_; ++it) {
      if ((it->letters & ~letters) == 0 && Try(it->index)) return;
    }
  }

  const PathTable& table_;
  std::string_view path_;
  std::string_view name_;
  std::array<char, 64> short_name_;
  std::string long_name_;
  std::string lower_path_;
  const bool is_folder_;
  Pace* const pace_;
  bool over_ = false;
  Index best_ = -1;
};

PathTable::Index PathTable::LastMatch(std::string_view path, std::string_view name, bool is_folder, Pace* pace) const {
  if (patterns_.empty()) return -1;
  return Query(*this, path, name, is_folder, pace).Run();
}

}  // namespace forge
