// Answers of language models: only files that exist come back, each once, and no
// control character.
#include <set>

#include "fuzz/fuzz.h"
#include "keyword/answer.h"

namespace forge {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string root = "/home/me";
  static const keyword::Paths hits = {"a.c", "src/b.cc", "src/with space.h", "deep/er/x.py"};
  static const keyword::Paths others = {"README.md", "src/other.cc"};
  static const Secrets secrets;
  const keyword::AnswerWorld world{root, hits,
                                   [](std::string_view name) -> std::optional<std::string> {
                                     return others.contains(name) ? std::optional<std::string>(name) : std::nullopt;
                                   },
                                   secrets};
  const auto answer = keyword::CheckAnswer({reinterpret_cast<const char*>(data), size}, world);
  std::set<std::string> seen;
  for (const auto* list : {&answer.files, &answer.without_hits}) {
    for (const RelevantFile& file : *list) {
      fuzz::Require(file.path.starts_with("/home/me/"), "a path lies in the root", file.path);
      const std::string relative = file.path.substr(9);
      fuzz::Require(list == &answer.files ? hits.contains(relative) : others.contains(relative), "a file exists",
                    relative);
      fuzz::Require(seen.insert(relative).second, "each file once", relative);
      fuzz::Require(file.reason.find('\x1b') == std::string::npos, "no escape codes", file.reason);
    }
  }
  fuzz::Require(answer.text.find('\x1b') == std::string::npos, "no escape codes", answer.text);
  return 0;
}

}  // namespace forge
