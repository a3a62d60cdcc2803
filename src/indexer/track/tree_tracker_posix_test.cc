// What a tracker says of files that this user may not read.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <utility>

#include "indexer/track/tree_tracker.h"
#include "tests/testing/fake_mounts.h"
#include "tests/testing/fake_watcher.h"
#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"

namespace forge::indexer {
namespace {

// Without one of its rules a listing may show what is ignored. The rules may be in
// the folder that is listed, or in one above it.
TEST(TreeTracker, AnIgnoreFileThatCannotBeReadIsAnErrorOfTheListing) {
  const testing::TempTree tree;
  tree.Write("b/sub/z", "text\n");
  const auto sandbox = std::make_shared<const Sandbox>(*Sandbox::Create({tree.root()}, "", {}));
  auto owned = std::make_unique<testing::FakeWatcher>();
  testing::FakeWatcher* const watcher = owned.get();
  TreeTracker tracker(sandbox, tree.root(), Traversal(), std::make_shared<GitEnvironment>(), std::move(owned),
                      std::make_unique<testing::FakeMounts>());
  index::Catalog catalog(tracker.Enumerate(Deadline()).rows);
  const auto drain = [&] {
    const TreeChanges changes = tracker.Drain(catalog, {});
    catalog = catalog.With(changes.rows, changes.removed);
    return changes.hidden_by_error ? "said" : "nothing said";
  };
  chmod(tree.root().c_str(), 0755);
  for (const char* rules : {".gitignore", "b/.gitignore", "b/sub/.gitignore"}) {
    for (const mode_t mode : {0644U, 0U}) {
      tree.Write(rules, "ignored\n");
      tree.Write("b/sub/ignored", "text\n");
      chmod(tree.Path(rules).c_str(), mode);
      watcher->Push(tree.Path("b/sub"), os::WatchEvent::Kind::kCreated, "ignored");
      const std::string said = testing::AsNobody(drain);
      EXPECT_EQ(said, mode == 0 ? "said" : "nothing said") << rules;
      drain();
      tree.Remove(rules);
    }
  }
}

}  // namespace
}  // namespace forge::indexer
