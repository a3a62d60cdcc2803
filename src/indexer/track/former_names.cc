#include "indexer/track/former_names.h"

#include <algorithm>
#include <charconv>

namespace forge::indexer {

void FormerNames::Remember(const std::string& path, std::uint64_t inode) {
  std::vector<std::uint64_t>& known = inodes_[path];
  if (std::find(known.begin(), known.end(), inode) != known.end()) return;
  // One name of a file that is saved again and again.
  constexpr std::size_t kMostOfOne = 16;
  if (known.size() == kMostOfOne) known.erase(known.begin());
  known.push_back(inode);
  if (known.size() > 1) return;
  order_.push_back(path);
  if (order_.size() <= kMost) return;
  inodes_.erase(order_.front());
  order_.pop_front();
}

std::vector<std::uint64_t> FormerNames::Of(const std::string& path, std::optional<std::uint64_t> now) const {
  const auto found = inodes_.find(path);
  if (found == inodes_.end()) return {};
  std::vector<std::uint64_t> out = found->second;
  std::erase_if(out, [&](std::uint64_t inode) { return inode == now || elsewhere_.contains(inode); });
  return out;
}

void FormerNames::NotInCatalog(std::uint64_t inode) {
  if (elsewhere_.size() >= kMost) elsewhere_.clear();
  elsewhere_.insert(inode);
}

std::optional<std::uint64_t> NamelessInode(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.size() < 2 || name.front() != '#') return std::nullopt;
  std::uint64_t inode = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, inode);
  return error == std::errc() && stop == end ? std::optional(inode) : std::nullopt;
}

}  // namespace forge::indexer
