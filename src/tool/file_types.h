// Names for kinds of files: `-t py` is `-g '*.py'`.
//
// The names and globs are those of ripgrep for the kinds that both know, so that
// `-t c` means the same in both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge::tool {

class FileTypes {
 public:
  FileTypes();

  // `NAME:GLOB` adds a glob, `NAME:include:OTHER,...` the globs of other types.
  // What is wrong with `rule`, if something is.
  std::optional<std::string> Add(std::string_view rule);

  // The globs of a type; "all" has every glob. Nothing if there is no such type.
  std::optional<std::vector<std::string>> Globs(const std::string& name) const;

  std::vector<std::string> Names() const;

  std::string_view Nearest(std::string_view name) const;

  // "c: *.[chH], *.cats", one line each, in order.
  std::string List() const;

 private:
  std::map<std::string, std::vector<std::string>> types_;
};

}  // namespace forge::tool
