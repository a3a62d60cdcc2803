// Globs of requests: a set of globs, which looks most of them up in tables,
// matches what one of its globs matches alone.
//
//   globs, one a line
//   ====
//   paths, one a line
#include "base/strings.h"
#include "fuzz/fuzz.h"
#include "glob/glob.h"

namespace forge {
namespace {

std::vector<std::string> Lines(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size() && lines.size() < most;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::Parts(data, std::min<std::size_t>(size, 4096), 2);
  for (const LetterCase letters : {LetterCase::kExact, LetterCase::kFold}) {
    std::vector<Glob> globs;
    for (const std::string& line : Lines(parts[0], 20)) {
      if (auto glob = Glob::Parse(line, letters)) globs.push_back(*std::move(glob));
    }
    const GlobSet all(globs, letters);
    for (const std::string& path : Lines(parts[1], 20)) {
      if (path.empty() || path.front() == '/' || path.back() == '/') continue;
      for (const bool folder : {false, true}) {
        bool one = false;
        for (const Glob& glob : globs) one |= GlobSet({glob}, letters).Matches(path, folder);
        fuzz::Require(all.Matches(path, folder) == one, "a set matches what one of it matches", path);
      }
    }
  }
  return 0;
}

}  // namespace forge
