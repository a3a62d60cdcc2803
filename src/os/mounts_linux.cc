#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "os/mounts.h"

namespace forge::os {
namespace {

constexpr const char* kTable = "/proc/self/mountinfo";

// Takes the next word off `line`.
std::string_view NextWord(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

// The kernel writes space, tab, line feed and backslash as "\040".
std::string Unescape(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool escaped = word[i] == '\\' && i + 3 < word.size() && std::all_of(&word[i + 1], &word[i + 1] + 3, IsOctal);
    if (!escaped) {
      out += word[i];
      continue;
    }
    out += static_cast<char>((word[i + 1] - '0') * 64 + (word[i + 2] - '0') * 8 + (word[i + 3] - '0'));
    i += 3;
  }
  return out;
}

class MountInfo final : public Mounts {
 public:
  explicit MountInfo(Fd fd) : fd_(std::move(fd)) {}

  // The kernel remembers for each open file which state of the table it has
  // reported.
  bool Changed() override {
    pollfd one = {fd_.get(), POLLPRI, 0};
    return poll(&one, 1, 0) != 0;  // an error counts as a change
  }

  std::vector<Mount> Below(const std::string& folder) override {
    std::string text;
    std::array<char, 16 * 1024> buffer;
    for (off_t at = 0;;) {
      const ssize_t n = pread(fd_.get(), buffer.data(), buffer.size(), at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(n));
      at += n;
    }
    return ParseMounts(text, folder);
  }

 private:
  const Fd fd_;
};

}  // namespace

OsResult<std::unique_ptr<Mounts>> OpenMounts() {
  Fd fd(open(kTable, O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return OsError{errno};
  return std::unique_ptr<Mounts>(std::make_unique<MountInfo>(std::move(fd)));
}

std::vector<Mount> ParseMounts(std::string_view text, const std::string& folder) {
  const std::string below = folder == "/" ? folder : folder + '/';
  std::vector<Mount> mounts;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    // "36 35 98:0 /mnt1 /mnt2 rw ...": number, parent, device, root, mount point.
    const std::string_view begin = line;
    for (int i = 0; i < 4; ++i) NextWord(line);
    const std::string_view identity = begin.substr(0, begin.size() - line.size());
    std::string point = Unescape(NextWord(line));
    if (point.starts_with(below)) mounts.push_back({std::move(point), std::string(identity)});
  }
  std::sort(mounts.begin(), mounts.end());
  return mounts;
}

}  // namespace forge::os
