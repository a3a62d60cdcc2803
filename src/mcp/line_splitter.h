// Cuts arriving bytes into lines.
//
// A line ends with \n or \r\n; the last one may end with the input. It ignores
// blank lines and a byte order mark at the start. It reports a line over the
// limit once, when the limit is crossed, and skips the rest without keeping it.
// So memory stays bounded whatever the client sends.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace forge::mcp {

inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

class LineSplitter {
 public:
  struct Handlers {
    std::function<void(std::string_view)> line;  // without its ending
    std::function<void()> too_long;
  };

  explicit LineSplitter(Handlers handlers, std::size_t limit = kMaxLineBytes)
      : handlers_(std::move(handlers)), limit_(limit) {}

  void Feed(std::string_view bytes);
  void Finish();  // the input has ended

 private:
  void Append(std::string_view bytes);
  void EndLine();

  const Handlers handlers_;
  const std::size_t limit_;
  std::string line_;
  bool first_ = true;      // no line has ended yet
  bool skipping_ = false;  // inside a line that is too long
};

}  // namespace forge::mcp
