// Keeps keys and passwords out of what is shown.
//
//   const Secrets secrets("sk-0123456789abcdef");
//   secrets.Hide("wrong key: sk-0123456789abcdef")   -> "wrong key: (key)"
//   secrets.Hide("wrong key: ...456789abcd...")      -> "wrong key: ...(key)..."
//
// It hides the key as it is, as a URL would spell it, as some JSON writers would
// ("\/"), and every longer part of one of these: others may have cut it before
// we see it. So the order matters: first remove control characters, which could
// stand between two halves of a key, then hide, then clip.
//
// This is against accidents. A server that has the key and wants to show it can
// spell it in ways that no one recognizes.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace forge {

// Immutable, so thread-safe.
class Secrets {
 public:
  Secrets() = default;  // hides nothing
  explicit Secrets(std::string_view key);

  std::string Hide(std::string_view text) const;

 private:
  std::string HideWord(std::string_view text) const;

  std::string word_;  // a key that is too short to have parts
  std::size_t part_ = 0;
  std::set<std::string, std::less<>> parts_;  // every text of part_ bytes that occurs in the key
};

// A URL without user name, password and query: "https://(not shown)@host/v1".
std::string ShownUrl(std::string_view url);

// The same for every URL in a text, but their queries stay.
std::string HideUrlUsers(std::string_view text);

}  // namespace forge
