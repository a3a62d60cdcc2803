// What a search reports while its caller waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/native.h"
#include "index/postings/postings_segment.h"
#include "search/service.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

using ::testing::ElementsAre;

// A builder that calls the test before it takes a file.
class InterruptedBuilder final : public index::SegmentBuilder {
 public:
  explicit InterruptedBuilder(const std::function<void()>& interrupt) : interrupt_(interrupt) {}

  bool Fits(std::uint64_t file_size) const override { return builder_->Fits(file_size); }
  index::DocRange Add(std::string_view bytes) override {
    interrupt_();
    return builder_->Add(bytes);
  }
  std::uint32_t docs() const override { return builder_->docs(); }
  std::size_t memory() const override { return builder_->memory(); }
  std::string Finish() override { return builder_->Finish(); }

 private:
  const std::function<void()>& interrupt_;
  std::unique_ptr<index::SegmentBuilder> builder_ = index::MakePostingsBuilder();
};

class ProgressWords : public ::testing::Test {
 protected:
  ProgressWords() : backend_(std::make_shared<NativeBackend>(1)) {
    tree_.Write("a", "one\n");
    tree_.Write("b", "two\n");
    config_.index.mode = IndexMode::kOn;
    config_.index.storage = IndexStorage::kMemory;
    std::vector<std::string> diagnostics;
    indexer::IndexSetOptions options;
    options.config = config_.index;
    indexes_ = indexer::IndexSet::Create(options, *sandbox_, diagnostics);
    indexer::RootSetup setup;
    setup.sandbox = sandbox_;
    setup.root = tree_.root();
    setup.config = config_.index;
    setup.size_limit = {1000};
    setup.key.root = tree_.root();
    setup.threads = 1;
    setup.make_builder = [this] { return std::make_unique<InterruptedBuilder>(interrupt_); };
    indexes_->roots()[0] = std::make_unique<indexer::RootIndex>(std::move(setup));
  }

  // "DONE WHAT" after each file.
  std::vector<std::string> Search() {
    const SearchService service(config_, *sandbox_, backend_, "", indexes_.get());
    std::vector<std::string> told;
    const auto answer =
        service.Search({.pattern = "."}, {.on_progress = [&](const Progress& progress) {
                         told.push_back(std::to_string(progress.done) + " " + std::string(progress.what));
                       }});
    EXPECT_TRUE(answer.ok());
    return told;
  }

  testing::TempTree tree_;
  SearchConfig config_;
  std::shared_ptr<const Backend> backend_;
  std::shared_ptr<const Sandbox> sandbox_ =
      std::make_shared<const Sandbox>(*Sandbox::Create({tree_.root()}, "", SandboxConfig()));
  std::function<void()> interrupt_;
  std::unique_ptr<indexer::IndexSet> indexes_;
};

TEST_F(ProgressWords, WhileTheIndexIsBuiltTheyTellHowFarItIs) {
  std::vector<std::vector<std::string>> told;
  interrupt_ = [&] { told.push_back(Search()); };
  indexes_->roots()[0]->Build(false);
  EXPECT_THAT(told, ElementsAre(ElementsAre("1 files searched; the index is being built: 0 of 2 files",
                                            "2 files searched; the index is being built: 0 of 2 files"),
                                ElementsAre("1 files searched; the index is being built: 1 of 2 files",
                                            "2 files searched; the index is being built: 1 of 2 files")));
}

TEST_F(ProgressWords, BeforeAndAfterwardsTheyTellOfFilesOnly) {
  interrupt_ = [] {};
  EXPECT_THAT(Search(), ElementsAre("1 files searched", "2 files searched"));
  indexes_->roots()[0]->Build(false);
  EXPECT_THAT(Search(), ElementsAre("1 files searched", "2 files searched"));
}

}  // namespace
}  // namespace forge
