// What the fuzzers share.
//
// A fuzzer is a file *_fuzz.cc with one function that libFuzzer calls with bytes
// of its own making. It must not crash, hang or grow, and what it Require()s must
// hold. Some compare with an oracle: git, PCRE2, or a second way of ours.
//
//   scripts/fuzz 10              every fuzzer, ten seconds each
//   scripts/fuzz 3600 pattern    one of them, for an hour
//   build/fuzz/pattern_fuzz FILE one input, as a report names it
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace forge::fuzz {

// Ends the program, so that libFuzzer saves the input.
inline void Require(bool holds, std::string_view what, std::string_view detail = {}) {
  if (holds) return;
  std::fprintf(stderr, "\n*** does not hold: %.*s\n%.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// The input as a person writes one: parts with a line between them. Fuzzers cut
// at this line, so that a corpus can be read and edited.
inline constexpr std::string_view kCut = "\n====\n";

inline std::vector<std::string> Parts(const std::uint8_t* data, std::size_t size, std::size_t wanted) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> parts;
  while (parts.size() + 1 < wanted) {
    const std::size_t at = rest.find(kCut);
    if (at == rest.npos) break;
    parts.emplace_back(rest.substr(0, at));
    rest.remove_prefix(at + kCut.size());
  }
  parts.emplace_back(rest);
  parts.resize(wanted);
  return parts;
}

}  // namespace forge::fuzz
