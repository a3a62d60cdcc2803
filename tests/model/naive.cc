#include "tests/model/naive.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

bool IsDenied(const fs::path& relative, const std::string& denied) {
  for (const fs::path& part : relative) {
    const std::string name = part.string();
    if (name == ".ssh" || name.ends_with(".pem") || name.ends_with(denied)) return true;
  }
  return false;
}

// A NUL, or a byte order mark: what the program makes of it is a matter of its own.
bool IsOdd(const std::string& text) {
  return text.find('\0') != std::string::npos || text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
         text.starts_with("\xEF\xBB\xBF");
}

}  // namespace

bool IsPlain(const SearchRequest& r) {
  for (const char c : r.pattern) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!word) return false;
  }
  return !r.pattern.empty() && r.path.empty() && r.case_mode == CaseMode::kSensitive && !r.word_regexp &&
         r.include_glob.empty() && r.exclude_glob.empty() && r.recursive && r.hidden && !r.follow && r.no_ignore &&
         r.context == 0 && r.max_results && r.max_matches_per_file && !r.max_files && !r.max_file_size_bytes &&
         !r.fuzzy;
}

NaiveAnswer NaiveSearch(const std::string& root, const SearchRequest& request, const std::string& denied,
                        std::uint64_t max_file_size) {
  NaiveAnswer answer;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
    const std::string path = at->path().lexically_relative(root).string();
    if (IsDenied(path, denied)) {
      if (at->symlink_status().type() == fs::file_type::directory) at.disable_recursion_pending();
      continue;
    }
    if (at->symlink_status().type() != fs::file_type::regular || at->file_size() > max_file_size) continue;
    std::ifstream in(at->path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (IsOdd(text)) {
      answer.unknown.insert(path);
      continue;
    }
    std::uint64_t number = 1;
    std::int64_t left = *request.max_matches_per_file;
    for (std::size_t begin = 0; begin < text.size() && left > 0; ++number) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (text.substr(begin, end - begin).find(request.pattern) != std::string::npos) {
        answer.lines.emplace(path, number);
        --left;
      }
      begin = end + 1;
    }
  }
  return answer;
}

}  // namespace forge::testing
