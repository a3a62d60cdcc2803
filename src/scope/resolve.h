// One path of a request, resolved component by component.
//
// Nothing is asked of the file system about a place that is denied, and what it
// says about a place outside the roots is never passed on: missing, forbidden
// and existing all give the same answer there.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "forge/result.h"
#include "scope/sandbox.h"

namespace forge {

class PathResolver {
 public:
  PathResolver(const Sandbox& sandbox, std::string_view given);

  Result<Target> Run();

 private:
  struct Component {
    std::string name;
    bool from_link = false;  // part of a symlink's target, not of the request
  };

  Status Step(const Component& component);
  Status GoUp(bool from_link);
  Status GoDown(const Component& component);
  Status FollowLink(const std::string& link);
  // Nothing exists at `path`: which error may be told?
  Error Missing(const std::string& path);
  Error Failed(std::string_view why) const;
  Error Outside() const;
  Error Denied() const;
  bool IsDenied(const std::string& path) const;
  void Queue(std::string_view path, bool from_link);

  const Sandbox& sandbox_;
  std::string given_;
  std::string current_;  // canonical so far
  std::string named_;    // the same without following links
  os::FileType type_ = os::FileType::kDirectory;
  std::deque<Component> rest_;
  int links_ = 0;
};

}  // namespace forge
