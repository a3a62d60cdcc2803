// Random tests that can be repeated: FORGE_TEST_SEED and FORGE_TEST_CASES
// override the values of a test. Print the seed in every failure.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace forge::testing {

inline std::uint64_t EnvNumber(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

inline std::uint64_t FirstSeed() { return EnvNumber("FORGE_TEST_SEED", 1); }
inline std::uint64_t CaseCount(std::uint64_t otherwise) { return EnvNumber("FORGE_TEST_CASES", otherwise); }

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 0 to n - 1.
  std::size_t Below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool OneIn(std::size_t n) { return Below(n) == 0; }

  template <typename Container>
  const auto& Pick(const Container& from) {
    return from[Below(std::size(from))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace forge::testing
