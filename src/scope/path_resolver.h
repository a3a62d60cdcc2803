// Follows one path, component by component, and ends with an open Target.
//
// Each step opens one name in the folder that the last step opened, and follows
// no link. It reads a link and follows its target in the same way. So the text
// of the path so far and the descriptor always belong together: the descriptor
// was opened at that place, through no link. If a folder is exchanged for a
// link meanwhile, the next step finds a link, and judges its target like any
// other.
//
// The resolver asks the file system nothing about a denied place. It never
// passes on what the file system says about a place outside the allowed
// folders: missing, forbidden and existing paths all end as kOutside there.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "os/file.h"
#include "scope/sandbox.h"
#include "scope/target.h"

namespace forge {

class PathResolver {
 public:
  // How it ended.
  enum class End {
    kFound,
    kOutside,  // leads outside the allowed folders, or would reveal what is there
    kDenied,   // a deny pattern matches
    kMissing,  // nothing is there, inside an allowed folder
    kFailed,   // error() says why
  };

  // Where the path, or a part of it, comes from, and where it may use "..":
  //
  //   kRequest  ".." only where both ends lie inside
  //   kTree     of a link or a git file inside: ".." also in the folders above the
  //             allowed ones, which exist in any case
  //   kOutside  of a link outside that was met on the way: anything
  //
  // Elsewhere ".." would tell whether the folder that it leaves exists: a link to
  // "../secret/../root/a" would work only if ../secret is there.
  enum class Words { kRequest, kTree, kOutside };

  // `also` is one more folder that counts as inside; empty: none.
  PathResolver(const Sandbox& sandbox, Words words, std::string also = {});

  // Call one of these two, once. This one takes an absolute path, or one that
  // starts at the working folder.
  End Resolve(std::string_view path);
  // A path that starts at `folder`; `fd` is that folder, open.
  End ResolveFrom(const std::string& folder, int fd, std::string_view path);

  Target TakeTarget();                                 // after kFound
  const os::OsError& error() const { return error_; }  // after kFailed or kMissing
  bool too_many_links() const { return links_ > kMaxLinks; }

 private:
  static constexpr int kMaxLinks = 40;  // as Linux

  struct Component {
    std::string name;
    Words words = Words::kRequest;
  };

  End Run(std::string_view path);
  // Nothing: go on.
  std::optional<End> Step(const Component& component);
  std::optional<End> GoUp(Words words);
  std::optional<End> GoDown(const Component& component);
  std::optional<End> FollowLink(const std::string& link, int fd);
  std::optional<End> GoTo(const std::string& folder);  // physically there
  std::optional<End> GoToRoot(const std::string& root);
  // There is nothing at `path`: what may the caller learn?
  End Missing(const std::string& path, int code);
  End Failed(const std::string& path, const os::OsError& error);
  bool IsInside(std::string_view path) const;
  bool IsAboveInside(std::string_view path) const;
  bool IsDenied(const std::string& path);
  void Queue(std::string_view path, Words words);

  const Sandbox& sandbox_;
  const Words words_;
  const std::string also_;
  std::string current_;  // canonical so far
  std::string named_;    // the same as the request named it, links not followed
  std::string allowed_;  // the path that IsDenied() found not to be denied last
  os::FileType type_ = os::FileType::kDirectory;
  os::Fd folder_;  // at current_, or at the parent of current_ if that is no folder
  std::deque<Component> rest_;
  int links_ = 0;
  os::OsError error_;
};

}  // namespace forge
