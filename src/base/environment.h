// The environment variables of a process, as a value: code that reads them gets
// them passed in, so that a test can choose them.
#pragma once

#include <map>
#include <string>
#include <utility>

namespace forge {

class Environment {
 public:
  using Variables = std::map<std::string, std::string>;

  Environment() = default;
  explicit Environment(Variables variables) : variables_(std::move(variables)) {}
  static Environment FromProcess();

  // "" if not set. By the XDG and NO_COLOR conventions, which we follow for our
  // own variables too, a variable that is set to nothing counts as not set.
  std::string Get(const std::string& name) const;

  // A path; "" if it is relative. HOME and the XDG variables lead to
  // configuration. A relative one would lead into the folder that we are started
  // in, and that may be the tree that is searched (R9).
  std::string GetAbsolute(const std::string& name) const;

  const Variables& all() const { return variables_; }

 private:
  Variables variables_;
};

}  // namespace forge
