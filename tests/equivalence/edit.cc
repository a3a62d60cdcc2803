#include "tests/equivalence/edit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace forge::testing {

namespace fs = std::filesystem;

std::string Edit(Random& random, const TempTree& tree) {
  static const std::vector<std::string> kPaths = {
      "a",        "src/b.c",   "src/sub/new.h",  "src",           "a/x",
      "b.c",      "deep/er/q", "many/1/f1",      "build/out.log", "e\u0301/x",
      "\u00E9/x", ".hidden",   "src/.gitignore", ".gitignore",    ".ignore",
      "moved",    "moved/src"};
  static const std::vector<std::string> kTexts = {"foo\n",    "FOO_BAR kmalloc\n", "", "x", "*.c\n",
                                                  "a*\n!a\n", "->lock(\r\nint\n"};
  const std::string path = tree.Path(random.Pick(kPaths));
  const std::string other = tree.Path(random.Pick(kPaths));
  std::error_code error;
  const auto write = [&](const char* mode) {
    if (std::FILE* file = std::fopen(path.c_str(), mode)) {
      const std::string& text = random.Pick(kTexts);
      std::fwrite(text.data(), 1, text.size(), file);
      std::fclose(file);
    }
  };
  switch (random.Below(13)) {
    case 0: write("w"); return "write " + path;
    case 1: write("a"); return "append " + path;
    case 2: fs::remove(path, error); return "remove " + path;
    case 3: fs::rename(path, other, error); return "rename " + path + " to " + other;
    case 4: fs::create_directories(path, error); return "folder " + path;
    case 5: fs::remove_all(path, error); return "remove all " + path;
    case 6: fs::create_symlink("src", path, error); return "link " + path;
    case 7: fs::create_hard_link(path, other, error); return "hard link " + path + " as " + other;
    case 8: fs::permissions(path, fs::perms(random.OneIn(2) ? 0600 : 0644), error); return "mode of " + path;
    case 9: {
      // The same size and the same times: only ctime shows the change.
      struct stat before;
      if (stat(path.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return "nothing";
      if (std::FILE* file = std::fopen(path.c_str(), "r+")) {
        std::fputc('k', file);
        std::fclose(file);
      }
      const timespec times[2] = {before.st_atim, before.st_mtim};
      utimensat(AT_FDCWD, path.c_str(), times, 0);
      return "same stamps " + path;
    }
    case 10: (void)truncate(path.c_str(), 1); return "truncate " + path;
    case 11: {
      // Into itself, also through a link, it would go on until the path is too long, and
      // every search of the 500 levels would take seconds.
      const fs::path src = fs::weakly_canonical(tree.Path("src"), error);
      const fs::path folder = fs::weakly_canonical(fs::path(other).parent_path(), error);
      if ((folder.string() + "/").starts_with(src.string() + "/")) return "no copy of src into itself";
      fs::copy(src, other + "_copy", fs::copy_options::recursive | fs::copy_options::skip_symlinks, error);
      return "copy src to " + other;
    }
    default: {
      const std::string git = tree.Path(random.OneIn(2) ? ".git" : "src/.git");
      fs::create_directories(git + "/info", error);
      // Without a HEAD it is not a repository yet.
      if (random.OneIn(2)) std::ofstream(git + "/HEAD") << "ref: refs/heads/main\n";
      return "repository";
    }
  }
}

}  // namespace forge::testing
