// Flips every byte of a small stored index, and cuts its files at every length.
// After each change, the answers equal those without an index, and the next
// writer repairs it.
//
// It takes samples, unless FORGE_TEST_CASES asks for as many places of each
// file as there are:
//
//   FORGE_TEST_CASES=1000000 index_tests --gtest_filter='*EveryByte*'
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/index/fault_world.h"
#include "tests/testing/seed.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class EveryByte : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    world_.config.index.cooldown_base = std::chrono::milliseconds(1);
    for (int i = 0; i < 6; ++i) {
      world_.tree.Write("f" + std::to_string(i), "alpha" + std::to_string(i) + (i % 3 == 0 ? " needle\n" : "\n"));
    }
    world_.OpenStored();
    ASSERT_TRUE(world_.Heal());
    // While the database is open, its log holds the last commit.
    files_["with a log"] = Take();
    world_.root().Close();
    world_.Close();
    files_["closed"] = Take();
    for (const char* pattern : {"needle", "nowhere_to_be_found", "alpha4"}) {
      world_.OpenStored();
      plain_[pattern] = world_.Plain(FaultWorld::Request(pattern));
      world_.Close();
    }
  }

  using Files = std::map<std::string, std::string>;  // by extension
  Files Take() const {
    Files files;
    for (const auto& entry : fs::directory_iterator(world_.config.index.path)) {
      const std::string name = entry.path().filename();
      hash_ = name.substr(0, name.find('.'));
      const std::string rest = name.substr(hash_.size());
      if (rest != ".lock" && rest != ".use" && rest != ".db-shm") files[rest] = world_.cache.Read("index/" + name);
    }
    return files;
  }
  std::string PathOf(const std::string& rest) const { return world_.config.index.path + "/" + hash_ + rest; }

  void Restore(const Files& files) const {
    for (const auto& entry : fs::directory_iterator(world_.config.index.path)) {
      const std::string name = entry.path().filename();
      const std::string rest = name.substr(name.find('.'));
      if (rest != ".lock" && rest != ".use" && !files.contains(rest)) fs::remove(entry.path());
    }
    for (const auto& [rest, bytes] : files) WriteFile(PathOf(rest), bytes);
  }

  void ExpectAnswers(const std::string& what) {
    for (const auto& [pattern, answer] : plain_) {
      ASSERT_EQ(world_.Indexed(FaultWorld::Request(pattern)), answer) << what << "; state " << world_.State();
    }
  }

  // The damage is on disk. A reader comes first, then a writer; then all is
  // repaired.
  void ExpectSoundAndHealing(const Files& files, bool in_text, const std::string& what) {
    world_.write = false;
    world_.OpenStored();
    ExpectAnswers(what + ", read");
    if (HasFatalFailure()) return;
    ++met_[world_.State()];
    const bool hidden = in_text && world_.State() != "CORRUPT";
    // The repair takes four times as long as everything before it. But a writer
    // may fail on damage that a reader does not see.
    if (!hidden && damages_ % (wanted_ < 100 ? 2 : 16) != 0) {
      world_.Close();
      return Restore(files);
    }
    ++healed_;
    world_.write = true;
    world_.OpenStored();
    ExpectAnswers(what + ", opened for writing");
    if (HasFatalFailure()) return;
    ASSERT_TRUE(world_.Heal()) << what;
    ExpectAnswers(what + ", healed");
    if (HasFatalFailure()) return;
    world_.write = false;
    world_.OpenStored();
    ASSERT_EQ(world_.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION") << what << world_.root().status().problem;
    ExpectAnswers(what + ", opened again");
    ASSERT_EQ(world_.stats.index_exclusion_used, true) << what;
    world_.Close();
    Restore(files);
  }

  // Places of a file of `size` bytes: all, or as many as wanted, chosen at
  // random.
  std::vector<std::size_t> Places(std::size_t size) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < size; ++at) {
      if (wanted_ >= size || random_.Below(size) < wanted_) places.push_back(at);
    }
    return places;
  }

  void TearDown() override {
    std::printf("seed %llu: %zu damages, %zu healed; a reader found", static_cast<unsigned long long>(seed_), damages_,
                healed_);
    for (const auto& [state, count] : met_) std::printf(" %s %d", state.c_str(), count);
    std::printf("\n");
  }

  const std::uint64_t seed_ = FirstSeed();
  Random random_{seed_};
  FaultWorld world_{{.storage = "sqlite", .structure = GetParam(), .server = false}};
  mutable std::string hash_;
  std::map<std::string, Files> files_;  // of both states
  std::map<std::string, std::string> plain_;
  std::map<std::string, int> met_;
  const std::uint64_t wanted_ = CaseCount(8);
  std::size_t damages_ = 0;
  std::size_t healed_ = 0;
};

TEST_P(EveryByte, Flipped) {
  for (const auto& [state, files] : files_) {
    Restore(files);
    for (const auto& [rest, bytes] : files) {
      for (const std::size_t at : Places(bytes.size())) {
        const std::string what = "seed " + std::to_string(seed_) + " " + state + ": byte " + std::to_string(at) +
                                 " of " + rest + " (" + std::to_string(bytes.size()) + ")";
        std::string bad = bytes;
        bad[at] = static_cast<char>(bad[at] ^ (1 << random_.Below(8)));
        WriteFile(PathOf(rest), bad);
        ++damages_;
        ExpectSoundAndHealing(files, bytes[at] != '\0', what);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(EveryByte, CutOff) {
  for (const auto& [state, files] : files_) {
    Restore(files);
    for (const auto& [rest, bytes] : files) {
      for (const std::size_t left : Places(bytes.size())) {
        const std::string what = "seed " + std::to_string(seed_) + " " + state + ": " + std::to_string(left) + " of " +
                                 std::to_string(bytes.size()) + " bytes of " + rest;
        fs::resize_file(PathOf(rest), left);
        ++damages_;
        ExpectSoundAndHealing(files, false, what);
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Structures, EveryByte, ::testing::Values("postings", "bloom"),
                         [](const auto& structure) { return std::string(structure.param); });

}  // namespace
}  // namespace forge::testing
