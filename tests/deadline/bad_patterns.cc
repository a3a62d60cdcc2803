#include "tests/deadline/bad_patterns.h"

namespace forge::testing {
namespace {

using Strings = std::vector<std::string>;

std::string Part(Random& random, int depth);

std::string Parts(Random& random, int depth, std::size_t count) {
  std::string out;
  for (; count > 0; --count) out += Part(random, depth);
  return out;
}

std::string Atom(Random& random) {
  static const Strings kAtoms = {"a",     "b",           "ab",     "\\w",     ".",       "\\S", "[ab]",   "[^b]",
                                 "[a-z]", "\\d",         "\\b",    "x",       "\\s",     "\\W", "a?",     "\\X",
                                 "\\N",   "[[:alpha:]]", "\\p{L}", "\u00E9",  "^",       "$",   "[\\w-]", "\\h*",
                                 "\\(",   "(?:)",        "-",      "\\p{Lu}", "[^\\W_]", "."};
  return random.Pick(kAtoms);
}

std::string Repeat(Random& random) {
  static const Strings kRepeats = {"*",       "+",  "*",  "+",    "?",      "{2,}", "{1,50}",
                                   "{0,300}", "*?", "+?", "{20}", "{1000}", "++"};
  return random.Pick(kRepeats);
}

std::string Group(Random& random, int depth) {
  static const Strings kOpen = {"(", "(?:", "(?>", "(?=", "(?!", "(?<=a|b", "(?<!x", "(?i:", "(?|", "(?=.*", "(?!.*"};
  std::string out = random.Pick(kOpen) + Parts(random, depth, 1 + random.Below(2));
  while (random.OneIn(3)) out += "|" + Parts(random, depth, 1 + random.Below(2));
  return out + ")";
}

std::string Part(Random& random, int depth) {
  static const Strings kReferences = {"\\1", "\\1+", "(?1)", "(?R)?", "\\g{-1}", "(?(1)a|b)"};
  switch (depth > 0 ? random.Below(8) : random.Below(4)) {
    case 0: return Atom(random);
    case 1:
    case 2: return Atom(random) + Repeat(random);
    case 3: return random.OneIn(4) ? random.Pick(kReferences) : ".*" + Atom(random);
    case 4:
    case 5: return Group(random, depth - 1) + Repeat(random);
    default: return Group(random, depth - 1);
  }
}

}  // namespace

const std::vector<std::string>& KnownBadPatterns() {
  static const Strings kPatterns = {
      "(?<!x)\\w+\\(",
      "(?=.*[A-Z])",
      "(?=.*foo)(?=.*bar)",
      "(?!return)\\w+\\(",
      "(?:\\w|-)+\\(",
      "(\\w+)\\(\\1",
      "(a+)+$",
      "(a|aa)+$",
      "(a|a?)+b",
      "(.*)*b",
      "(?:a*)*b",
      "a*a*a*a*b",
      ".*.*=.*;",
      "(\\w+\\s*)+:",
      "^(\\w+,?)*$",
      "(?:a?){30}a{30}",
      "(x+x+)+y",
      "([a-zA-Z]+)*[0-9]",
      "(.+)+@(.+)+\\.com",
      "\\s+$",
      "(\\s*\\w+\\s*)*=",
      "(?R)?a+b",
      "(a(?1)?b)",
      "(.)(.)(.)\\3\\2\\1z",
      "(\\w+).*\\1.*\\1x",
      "(?:.*,){20}x",
      "\\w{1000}x",
      "[ab]{300}c",
      "a{1,500}b",
      "(?:a{1,100}){1,100}b",
      "(?<=\\w{200})x",
      "(?<!\\w{50})(?<!\\w{49})-",
      "\\X+z",
      "(?:\\X\\X)+z",
      "(?i)(\\w)\\1{5}z",
      "\\b\\w*\\b\\W*\\b\\w*z",
      "(?:[^b]|ab)*c",
      "(?>a+)b",
      "a++b",
      "(?=(a+))\\1b",
      "(?s).*?.*?.*?z",
      "(?:(?=.*x)a)*z",
      "foo.*bar.*baz.*qux",
      "\".*\\\\.*\".*'",
      "\\p{L}+\\p{N}",
      "(*COMMIT).*z|a+b",
      "\\Ga+b",
      "(?:a(*SKIP)a|a)+b",
      "((((((a*)*)*)*)*)*)*b",
      "(?:(?:a|b)|(?:a|c)|(?:a|d))*e",
      "[^\\n]*\\([^)]*\\)\\s*\\{",
      "(?x) a*  a*  a* b",
  };
  return kPatterns;
}

std::string MakeBadPattern(Random& random) {
  if (random.OneIn(3)) return random.Pick(KnownBadPatterns());
  return Parts(random, 2, 1 + random.Below(4));
}

std::string MakeBadLine(Random& random, std::size_t bytes) {
  static const Strings kUnits = {"a",
                                 "ab",
                                 "aaaaaaaab",
                                 "a b",
                                 "foo(bar, baz) ",
                                 "x=1;",
                                 "\u00E9",
                                 "\u4E2D\u6587a",
                                 "a-",
                                 "aA",
                                 "\xFF"
                                 "a",
                                 "(((",
                                 "\"a\\\"",
                                 ",a",
                                 "a1",
                                 " ",
                                 "e\u0301"};
  const std::string unit = random.OneIn(4) ? random.Pick(kUnits) + random.Pick(kUnits) : random.Pick(kUnits);
  static const Strings kEnds = {"", "!", " bar(baz)", "c", "=", "z", "b", "\xE2"};
  std::string line;
  line.reserve(bytes + 16);
  while (line.size() < bytes) line += unit;
  return line + random.Pick(kEnds);
}

}  // namespace forge::testing
