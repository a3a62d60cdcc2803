// An engine whose searches another process answers (R10).
//
// Callers cannot tell the difference, except by the time it takes. If the server is
// lost in the middle of a call, falls silent or speaks nonsense, the call goes on
// in this process, with the time that is left; events that were delivered are not
// delivered again.
//
// What needs keys, or no warmth, is always done here: keyword_search, the report on
// backends, building, checking, explaining and clearing an index.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/mutex.h"
#include "forge/engine.h"
#include "os/clocks.h"
#include "remote/connections.h"
#include "remote/protocol.h"
#include "remote/replay.h"

namespace forge::remote {

using LocalFactory = std::function<Result<std::unique_ptr<Engine>>(EngineOptions)>;

class RemoteEngine final : public Engine {
 public:
  // `options` as they would be for a local engine; `opened` is what the server said
  // about the tree.
  RemoteEngine(EngineOptions options, Opened opened, LocalFactory local, Connections::Connect connect,
               std::unique_ptr<Channel> first, const os::Clocks& clocks);

  Result<SearchResponse> Search(const SearchRequest& request, const SearchOptions& options) override;
  Result<KeywordSearchResponse> KeywordSearch(const KeywordSearchRequest& request, const CancelToken& cancel) override;
  const Config& config() const override { return options_.config; }
  const std::vector<std::string>& roots() const override { return opened_.roots; }
  const std::string& working_dir() const override { return opened_.working_dir; }
  std::vector<BackendReport> backends() const override;
  const std::vector<std::string>& backend_diagnostics() const override { return opened_.backend_diagnostics; }
  void StartIndexing() override {}  // the server has
  std::vector<IndexStatus> index_status() override;
  const std::vector<std::string>& index_diagnostics() const override { return opened_.index_diagnostics; }
  Status BuildIndexes(bool anew, const std::function<void(const IndexStatus&)>& progress,
                      const CancelToken& cancel) override;
  Result<std::vector<IndexVerification>> VerifyIndexes(const CancelToken& cancel) override;
  Status ClearIndexes() override;
  Result<std::vector<StoredIndexInfo>> stored_indexes() override;
  Result<IndexExplanation> ExplainIndex(const SearchRequest& request) override;

 private:
  // One search: its time, and what of it was delivered so far.
  struct Call;

  // Nothing: the server was lost, and `call` says how far it got.
  std::optional<Result<SearchResponse>> SearchThere(Call& call);
  std::optional<Result<SearchResponse>> Listen(Call& call, Channel& channel, bool& whole);
  static SearchResponse Stopped(Call& call);
  Result<SearchResponse> SearchHere(Call& call);

  std::optional<std::vector<IndexStatus>> StatusThere();

  // The engine in this process. While the server may come back, it only uses what is
  // stored; once we have given up, it does what was asked for.
  Result<Engine*> Here() const;
  Result<std::unique_ptr<Engine>> Create(EngineOptions::Indexing indexing) const;

  const EngineOptions options_;
  const Opened opened_;
  const LocalFactory local_;
  Connections connections_;
  mutable Mutex mutex_;
  mutable std::unique_ptr<Engine> stored_ GUARDED_BY(mutex_);
  mutable std::unique_ptr<Engine> own_ GUARDED_BY(mutex_);
};

}  // namespace forge::remote
