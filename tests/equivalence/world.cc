#include "tests/equivalence/world.h"

#include <sys/stat.h>

#include <vector>

namespace forge::testing {
namespace {

using Strings = std::vector<std::string>;

const Strings kWords = {"foo",          "bar",        "Foo",     "FOO_BAR", "foo_bar",   "x",
                        "int",          "lock(",      "->lock",  "kmalloc", "caf\u00E9", "CAF\u00C9",
                        "\u212Aelvin",  "\u017Fs",    "k",       "s",       "123",       "0x7f",
                        "a.b",          "()",         "e\u0301", "\u00E9",  "\xFF",      "\xE2\x82",
                        "\u4E2D\u6587", "\U0001F600", "static",  "_MASK",   "ab12cd",    "\t"};

const Strings kNames = {"a",
                        "b.c",
                        "B.h",
                        "a+",
                        "a-b",
                        "a b",
                        "d",
                        "\u00E9.txt",
                        "e\u0301.txt",
                        "-dash",
                        "-",
                        "[x].c",
                        "{y}.c",
                        "q\"uote",
                        "back\\s",
                        "new\nline",
                        "\xE9.txt",
                        ".hidden",
                        "z.log",
                        "z.pem",
                        "\u4E2D",
                        "UPPER.C",
                        "very_long_name_with_many_parts.txt",
                        "t~",
                        "#c",
                        "!n"};

const Strings kFolders = {"",
                          "src/",
                          "src/",
                          "src/sub/",
                          "a/",
                          "a.d/",
                          ".git_like/",
                          "build/",
                          "e\u0301/",
                          "\u00E9/",
                          "deep/er/and/deeper/",
                          ".ssh/"};

const Strings kIgnoreLines = {"*.log",     "/build/", "b.c",  "!b.c", "sub/",  "*.h", "!src/*.h",
                              "# comment", "a*",      "!a b", "**/d", "[x].c", "\\#c"};

std::string MakeLine(Random& random) {
  std::string line;
  const std::size_t words = random.OneIn(40) ? 400 : random.Below(7);
  for (std::size_t i = 0; i < words; ++i) {
    line += random.Pick(kWords);
    if (random.OneIn(2)) line += random.OneIn(5) ? "\r" : " ";
  }
  return line;
}

std::string MakeText(Random& random) {
  std::string text;
  // Mostly small; some are larger than the portions in which large files are
  // read.
  const std::size_t lines = random.OneIn(120) ? 8000 : random.OneIn(30) ? 600 : random.Below(14);
  const std::string ending = random.OneIn(4) ? "\r\n" : "\n";
  for (std::size_t i = 0; i < lines; ++i) text += MakeLine(random) + (random.OneIn(20) ? "\n" : ending);
  if (random.OneIn(3)) text += MakeLine(random);
  if (random.OneIn(12) && !text.empty()) text.insert(random.Below(text.size()), 1, '\0');
  return text;
}

// UTF-16 or UTF-32 with its byte order mark, and only ASCII characters.
std::string Widen(Random& random, const std::string& text) {
  const std::size_t width = random.OneIn(2) ? 2 : 4;
  const bool little = random.OneIn(2);
  std::string out;
  const auto put = [&](std::uint32_t code) {
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t shift = 8 * (little ? i : width - 1 - i);
      out.push_back(static_cast<char>(code >> shift));
    }
  };
  put(0xFEFF);
  for (const char c : text) put(static_cast<unsigned char>(c));
  if (random.OneIn(6)) out.pop_back();
  return out;
}

std::string MakeContent(Random& random) {
  const std::string text = MakeText(random);
  if (random.OneIn(15)) return Widen(random, text);
  return random.OneIn(15) ? "\xEF\xBB\xBF" + text : text;
}

std::string MakeClass(Random& random) {
  static const Strings kItems = {"a-c",    "f",   "o", "\\w", "\\d", "\\s",   "_", "[:alpha:]", "0-9",
                                 "\u00E9", "A-Z", ".", "-",   "\\-", "\\x41", "k", "\\S",       "[:upper:]"};
  std::string out = random.OneIn(4) ? "[^" : "[";
  for (std::size_t n = 1 + random.Below(3); n > 0; --n) out += random.Pick(kItems);
  return out + "]";
}

std::string MakePiece(Random& random, int depth);

std::string MakeSequence(Random& random, int depth) {
  std::string out;
  for (std::size_t n = 1 + random.Below(3); n > 0; --n) out += MakePiece(random, depth);
  return out;
}

std::string MakePiece(Random& random, int depth) {
  static const Strings kAtoms = {
      "foo",       "bar",       "o",           "F",           "_",       "\\(",    "->",       ".",
      "\\w",       "\\W",       "\\d",         "\\s",         "\\S",     "\\b",    "\\B",      "^",
      "$",         "\u00E9",    "k",           "s",           "\\x{e9}", "\\.",    " ",        "1",
      "\\Qa.b\\E", "(?i:k)",    "\\p{L}",      "\\P{L}",      "(?=f)",   "(?!o)",  "(?<=o)",   "(?<!_)",
      "\\h",       "\\t",       "\\r",         "[[:punct:]]", "\\N",     "\\A",    "\\z",      "MASK",
      "\\X",       "(?i:foo)",  "(?-i:foo)",   "(?i)",        "(?-i)",   "(?^:s)", "(\\w)\\1", "(o)(?-i:\\1)",
      "o{,3}",     "(?x)o*  b", "(?x: o+ + )", "(?i:[k-s])"};
  static const Strings kRepeats = {"*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??", "++"};
  switch (depth > 0 ? random.Below(8) : random.Below(5)) {
    case 0: return MakeClass(random);
    case 5: return "(" + MakeSequence(random, depth - 1) + "|" + MakeSequence(random, depth - 1) + ")";
    case 6: return "(?:" + MakeSequence(random, depth - 1) + ")" + random.Pick(kRepeats);
    case 7: return MakeClass(random) + random.Pick(kRepeats);
    default: return random.Pick(kAtoms);
  }
}

// Without a text that every match has: an index asks for sets of bytes.
std::string MakeClasses(Random& random) {
  static const Strings kClasses = {"[a-z]", "[A-Z]",       "[0-9]",  "\\d",         "[0-9a-f]", "\\w",  "\\s", ".",
                                   "[_.]",  "[\u00E9k-s]", "[^a-z]", "[[:punct:]]", "[^\\d]",   "[^_]", "[>(]"};
  static const Strings kTimes = {"", "", "", "{2}", "{3}", "+", "{2,3}", "?", "*"};
  std::string out;
  for (std::size_t n = 2 + random.Below(3); n > 0; --n) out += random.Pick(kClasses) + random.Pick(kTimes);
  return out;
}

Strings MakeGlobs(Random& random) {
  static const Strings kGlobs = {"*.c",  "*.{c,h}", "src/**", "/a*", "**/sub/*", "!x", "[a-c]*",          "*.txt",
                                 "src/", "a b",     "{",      "*",   "\u00E9*",  "?",  "deep/**/deeper/*"};
  Strings globs;
  for (std::size_t n = random.Below(3); n > 0; --n) globs.push_back(random.Pick(kGlobs));
  return globs;
}

}  // namespace

void MakeTree(Random& random, const TempTree& tree) {
  for (std::size_t n = 3 + random.Below(25); n > 0; --n) {
    const std::string path = random.Pick(kFolders) + random.Pick(kNames);
    struct stat info;
    if (lstat(tree.Path(path).c_str(), &info) == 0) continue;
    try {
      tree.Write(path, MakeContent(random));
    } catch (const std::exception&) {
      // There is a file where a folder is wanted: this world gets one file
      // less.
    }
  }
  // Enough files for several chunks and batches.
  for (std::size_t n = random.OneIn(8) ? 200 : 0; n > 0; --n) {
    tree.Write("many/" + std::to_string(n % 5) + "/f" + std::to_string(n), MakeLine(random) + "\n");
  }
  if (random.OneIn(3)) tree.Write(".git/HEAD", "ref: refs/heads/main\n");
  for (const char* name : {".gitignore", "src/.gitignore", ".ignore"}) {
    if (!random.OneIn(3)) continue;
    std::string text;
    for (std::size_t n = random.Below(5); n > 0; --n) text += random.Pick(kIgnoreLines) + "\n";
    tree.MakeFolder("src");
    tree.Write(name, text);
  }
  if (random.OneIn(3)) tree.Link("src", "link_to_src");
  if (random.OneIn(3)) tree.Link("..", "src/up");
  if (random.OneIn(4)) tree.Link("/etc", "outside");
  if (random.OneIn(4)) tree.Link("nowhere", "broken");
  if (random.OneIn(4)) mkfifo(tree.Path("fifo").c_str(), 0600);
}

std::string MakePattern(Random& random) {
  if (random.OneIn(3)) return random.Pick(kWords);
  if (random.OneIn(4)) return MakeClasses(random) + (random.OneIn(4) ? "|" + MakeClasses(random) : "");
  std::string out = MakeSequence(random, 2);
  if (random.OneIn(6)) out += "|" + MakeSequence(random, 1);
  return out;
}

SearchRequest MakeRequest(Random& random) {
  static const Strings kPaths = {"",  "",         "",        "",    "src",  "src/sub",    "a",
                                 ".", "src/../a", "nothing", "b.c", "../x", "link_to_src"};
  SearchRequest request;
  request.pattern = MakePattern(random);
  request.path = random.Pick(kPaths);
  request.case_mode = random.Pick(std::vector{CaseMode::kSmart, CaseMode::kSensitive, CaseMode::kInsensitive});
  request.fixed_strings = random.OneIn(4);
  request.word_regexp = random.OneIn(5);
  if (random.OneIn(3)) request.include_glob = MakeGlobs(random);
  if (random.OneIn(4)) request.exclude_glob = MakeGlobs(random);
  request.recursive = !random.OneIn(8);
  request.hidden = random.OneIn(3);
  request.follow = random.OneIn(4);
  request.no_ignore = random.OneIn(3);
  request.context = static_cast<std::int64_t>(random.OneIn(2) ? random.Below(4) : 0);
  if (random.OneIn(2)) request.max_results = static_cast<std::int64_t>(1 + random.Below(random.OneIn(2) ? 5 : 60));
  if (random.OneIn(3)) request.max_matches_per_file = static_cast<std::int64_t>(1 + random.Below(4));
  if (random.OneIn(5)) request.max_files = static_cast<std::int64_t>(1 + random.Below(8));
  if (random.OneIn(5)) request.max_file_size_bytes = static_cast<std::int64_t>(1 + random.Below(400));
  return request;
}

std::string Describe(const SearchRequest& r) {
  static const char* const kCases[] = {"smart", "sensitive", "insensitive"};
  std::string out = "pattern <" + r.pattern + "> path <" + r.path + "> case " + kCases[static_cast<int>(r.case_mode)];
  const auto flag = [&](bool on, const char* name) { out += on ? std::string(" ") + name : ""; };
  flag(r.fixed_strings, "fixed_strings");
  flag(r.word_regexp, "word_regexp");
  flag(!r.recursive, "not-recursive");
  flag(r.hidden, "hidden");
  flag(r.follow, "follow");
  flag(r.no_ignore, "no_ignore");
  for (const std::string& glob : r.include_glob) out += " include <" + glob + ">";
  for (const std::string& glob : r.exclude_glob) out += " exclude <" + glob + ">";
  out += " context " + std::to_string(r.context);
  const auto number = [&](const std::optional<std::int64_t>& n, const char* name) {
    if (n) out += std::string(" ") + name + " " + std::to_string(*n);
  };
  number(r.max_results, "max_results");
  number(r.max_matches_per_file, "max_matches_per_file");
  number(r.max_files, "max_files");
  number(r.max_file_size_bytes, "max_file_size_bytes");
  number(r.fuzzy, "fuzzy");
  return out;
}

}  // namespace forge::testing
