// A tree with a secret outside of its root and a denied one inside, and every way
// to it that we could think of.
//
// The same seed makes the same world; only the secret differs, and with it what
// depends on the secret alone: texts, names, sizes and the existence of files that
// no answer may show. Nothing else tells two worlds apart.
#pragma once

#include <string>
#include <vector>

#include "forge/search.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

class SecretWorld {
 public:
  // In the folder `place`, which is made anew. A world with `mounts` needs a mount
  // namespace of its own.
  SecretWorld(std::uint64_t seed, std::string place, std::string secret, bool mounts);
  ~SecretWorld();
  SecretWorld(const SecretWorld&) = delete;
  SecretWorld& operator=(const SecretWorld&) = delete;

  std::string root() const { return place_ + "/tree"; }
  std::string home() const { return place_ + "/home"; }
  const std::string& secret() const { return secret_; }

  // Exchanges something inside with something that leads to the secret, and back.
  void Swap(Random& random);

 private:
  void Write(const std::string& relative, const std::string& text) const;
  void Link(const std::string& target, const std::string& relative) const;
  void MakeSecrets(Random& random) const;
  void MakeInside(Random& random) const;
  void MakeLinks(Random& random) const;
  void MakeGitFiles(Random& random) const;
  void MakeMounts(Random& random);

  const std::string place_;
  const std::string secret_;
  std::vector<std::string> mounts_;
};

// Looks for the secret in all the places where it lies, by what both secrets have
// in common. Depends on the seed alone.
SearchRequest MakeNosyRequest(Random& random, const std::string& place);

}  // namespace forge::testing
