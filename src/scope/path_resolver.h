// Follows one path, component by component, and ends with an open Target.
//
// Each step opens one name in the folder that the last step opened, without
// following a link; links are read and their targets followed in the same way.
// So the text of the path so far and the descriptor always belong together: the
// descriptor was opened at that place, through no link. A folder that is
// exchanged for a link meanwhile is found to be a link, and its target is judged
// like any other.
//
// Nothing is asked of the file system about a place that is denied. What it says
// about a place outside the allowed folders is never passed on: missing,
// forbidden and existing all end as kOutside there.
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
    kOutside,  // leads outside the allowed folders, or would tell what is there
    kDenied,   // a deny pattern
    kMissing,  // nothing is there, inside an allowed folder
    kFailed,   // error() says why
  };

  // Whose words the path, or a part of it, is:
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

  // Both may be called once, and only one of them.
  // An absolute path, or one that starts at the working folder.
  End Resolve(std::string_view path);
  // A path that starts at `folder`, which is open as `fd` and at `folder`.
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
  // Nothing is at `path`: what may be told?
  End Missing(const std::string& path, int code);
  End Failed(const std::string& path, const os::OsError& error);
  bool IsInside(std::string_view path) const;
  bool IsAboveInside(std::string_view path) const;
  bool IsDenied(const std::string& path) const;
  void Queue(std::string_view path, Words words);

  const Sandbox& sandbox_;
  const Words words_;
  const std::string also_;
  std::string current_;  // canonical so far
  std::string named_;    // the same as the request named it, without following links
  os::FileType type_ = os::FileType::kDirectory;
  os::Fd folder_;  // at current_, or at the parent of current_ if that is no folder
  std::deque<Component> rest_;
  int links_ = 0;
  os::OsError error_;
};

}  // namespace forge
