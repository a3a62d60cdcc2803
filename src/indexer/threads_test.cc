// The index on a system that starts no more threads.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "index/postings/postings_segment.h"
#include "index/segment/segment.h"
#include "indexer/index_set.h"
#include "indexer/work/tokenize.h"
#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"

namespace forge::indexer {
namespace {

std::string WithoutThreads(const std::function<std::string()>& body) {
  return testing::AsNobody([&] {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_NPROC, &none);
    return body();
  });
}

TEST(WithoutThreads, FilesAreIndexedByTheOneThereIs) {
  const testing::TempTree tree;
  chmod(tree.root().c_str(), 0755);
  std::vector<index::CatalogRow> rows(4);
  std::vector<index::CatalogRow*> to_index;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].path = std::to_string(i);
    rows[i].info.size = 100 << 20;  // a size that would need several threads
    tree.Write(rows[i].path, "some text\n");
    to_index.push_back(&rows[i]);
  }
  const Sandbox sandbox = *Sandbox::Create({tree.root()}, "", {});
  const auto root = SearchRoot::Open(sandbox, tree.root(), false);
  TokenizeOptions options;
  options.make_builder = index::MakePostingsBuilder;
  options.threads = 4;
  options.size_limit = {1000};
  const std::string done = WithoutThreads([&] {
    Throttle throttle({});
    TokenizeProgress progress;
    Error error;
    const SegmentSink sink = [](std::string) -> Result<index::SegmentId> { return index::SegmentId{1}; };
    const TokenizeEnd end = TokenizeRows(*root, to_index, options, throttle, sink, progress, error);
    return std::to_string(end == TokenizeEnd::kFinished) + " " + std::to_string(progress.files_done);
  });
  EXPECT_EQ(done, "1 4");
}

TEST(WithoutThreads, AnIndexThatNoThreadBuildsIsAbsent) {
  const testing::TempTree tree;
  chmod(tree.root().c_str(), 0755);
  const Sandbox sandbox = *Sandbox::Create({tree.root()}, "", {});
  IndexSetOptions options;
  options.config.mode = IndexMode::kOn;
  options.config.storage = IndexStorage::kMemory;
  options.server = true;
  const std::string state = WithoutThreads([&] {
    std::vector<std::string> diagnostics;
    const auto set = IndexSet::Create(options, sandbox, diagnostics);
    set->Start();
    return std::string(Name(set->Find(tree.root())->status().state));
  });
  EXPECT_EQ(state, "ABSENT");
}

}  // namespace
}  // namespace forge::indexer
