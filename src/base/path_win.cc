#include <algorithm>

#include "base/ascii.h"
#include "base/path.h"

namespace forge {
namespace {

bool StartsWithLetter(std::string_view path) { return IsAsciiLetter(static_cast<unsigned char>(path[0])); }

// "//server/share/": a path may also end with the share.
std::size_t ShareRoot(std::string_view path) {
  const std::size_t share = path.find('/', 2);
  if (share == std::string_view::npos || share == 2 || share + 1 == path.size()) return 0;
  const std::size_t end = path.find('/', share + 1);
  return end == std::string_view::npos ? path.size() : end + 1;
}

}  // namespace

// "/a" and "C:a" are not absolute: they depend on the current drive, or on the
// current folder of one.
std::string_view PathRoot(std::string_view path) {
  if (path.starts_with("//")) return path.substr(0, ShareRoot(path));
  const bool drive = path.size() >= 3 && StartsWithLetter(path) && path[1] == ':' && path[2] == '/';
  return path.substr(0, drive ? 3 : 0);
}

std::string OwnForm(std::string_view given) {
  std::string path(given);
  std::replace(path.begin(), path.end(), '\\', '/');
  if (path.starts_with("//?/UNC/")) path.erase(2, 6);
  if (path.starts_with("//?/")) path.erase(0, 4);
  if (path.size() == 2 && path[1] == ':') path += '/';
  if (path.size() >= 2 && path[1] == ':' && StartsWithLetter(path)) path[0] = static_cast<char>(path[0] & ~0x20);
  return path;
}

}  // namespace forge
