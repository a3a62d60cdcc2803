// The parts of the index of one tree, in memory, with a watcher and a clock that
// the test drives; for tests of one part.
//
// The clock begins an hour after the files were written, so their stamps are
// reliable at once.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "index/postings/postings_segment.h"
#include "indexer/publish/views.h"
#include "indexer/work/builder.h"
#include "indexer/work/updater.h"
#include "tests/testing/fake_clocks.h"
#include "tests/testing/fake_watcher.h"
#include "tests/testing/temp_tree.h"

namespace forge::indexer {

class RootParts {
 public:
  explicit RootParts(const IndexConfig& config = {}, std::unique_ptr<index::Store> stored = nullptr,
                     bool no_ignore = true) {
    setup.store = std::move(stored);
    store = std::make_unique<StoreLink>(setup, [](const Error&) {});
    clocks.Advance(std::chrono::nanoseconds(os::FileClockNow() - clocks.FileNs()) + std::chrono::hours(1));
    setup.sandbox = std::make_shared<const Sandbox>(*Sandbox::Create({tree.root()}, "", {}));
    setup.root = tree.root();
    setup.config = config;
    setup.size_limit = {1 << 20};
    setup.key.root = tree.root();
    setup.key.traversal.no_ignore = no_ignore;
    setup.clocks = &clocks;
    setup.make_builder = index::MakePostingsBuilder;
    auto fake = std::make_unique<testing::FakeWatcher>();
    watcher = fake.get();
    tracker = std::make_unique<TreeTracker>(setup.sandbox, setup.root, setup.key.traversal,
                                            std::make_shared<GitEnvironment>(),  // no rules outside the tree
                                            std::move(fake));
    maker = std::make_unique<SegmentMaker>(setup, throttle, *store);
    published = std::make_unique<Published>(setup, *tracker, texts, *store, wake);
    views = std::make_unique<Views>(setup, *tracker, *store, *published, wake);
    scans = std::make_unique<ScanSteps>(setup, *tracker, *store, *published);
    updates = std::make_unique<UpdateSteps>(setup, *store, *published);
  }

  Builder builder() { return Builder({setup, throttle, *tracker, *maker, *store, *scans, *published, progress}); }
  Updater updater() { return Updater({throttle, *maker, *store, *updates, *scans, *published, clocks}); }

  void Change(const std::string& name, const std::string& text) {
    tree.Write(name, text);
    watcher->Push(tree.root(), os::WatchEvent::Kind::kChanged, name);
  }
  View Begin() { return views->Begin({.folder = tree.root(), .traversal = setup.key.traversal}, Deadline()); }
  // "COMPLETE", "UNCERTAIN/WATCHER_DOWN"
  std::string State() const {
    const index::Safety safety = published->safety();
    const std::string state(Name(safety.state));
    return safety.reason() == index::Reason::kNone ? state : state + "/" + std::string(Name(safety.reason()));
  }
  IndexStatus Status() const {
    IndexStatus status;
    published->Describe(status);
    return status;
  }
  Need NextNeed() const { return published->NextNeed(clocks.FileNs()); }

  testing::TempTree tree;
  testing::FakeClocks clocks;
  RootSetup setup;
  Throttle throttle{{}, clocks};
  os::Wake wake;
  ScanProgress progress{clocks};
  std::unique_ptr<StoreLink> store;
  testing::FakeWatcher* watcher = nullptr;
  std::unique_ptr<TreeTracker> tracker;
  TextCache texts{0};
  std::unique_ptr<SegmentMaker> maker;
  std::unique_ptr<Published> published;
  std::unique_ptr<Views> views;
  std::unique_ptr<ScanSteps> scans;
  std::unique_ptr<UpdateSteps> updates;
};

}  // namespace forge::indexer
