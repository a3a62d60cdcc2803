#include "search/index_share.h"

#include <algorithm>
#include <utility>

#include "indexer/inspect.h"

namespace forge {
namespace {

// Whether the index can leave out files at all.
bool CanExclude(const index::Snapshot& snapshot, const index::TokenQuery& tokens) {
  if (snapshot.segments.empty()) return tokens.plan.kind != NgramPlan::Kind::kAll || tokens.literal;
  return std::any_of(snapshot.segments.begin(), snapshot.segments.end(),
                     [&](const auto& entry) { return entry.second->CanExclude(tokens); });
}

index::TokenQuery TokensOf(const Query& query, const Backend& backend) {
  index::TokenQuery tokens;
  tokens.ignore_case = query.pattern.ignores_case();
  if (query.fuzzy) {
    if (backend.uses_our_fuzzy_metric()) tokens.plan = PlanForFuzzy(query.text, *query.fuzzy);
    return tokens;
  }
  tokens.plan = query.pattern.plan();
  tokens.literal = query.pattern.literal();
  return tokens;
}

// Fills in the test that excludes files, if there is one.
void AskRoot(IndexShare& share) {
  if (CanExclude(*share.view.snapshot, share.tokens)) {
    share.use.test = std::make_shared<index::Exclusion>(share.view.snapshot, share.tokens);
  } else {
    share.bypass = Bypass::kNoRequiredGram;
  }
  share.use.snapshot = share.view.snapshot;
  share.use.prefix = share.view.prefix;
  share.trusted = share.view.trusted;
}

}  // namespace

IndexShare AskIndex(const IndexQuestion& question, const Deadline& deadline) {
  IndexShare share;
  if (!question.every_file) share.tokens = TokensOf(question.query, question.backend);
  if (question.indexes == nullptr) {
    share.bypass = Bypass::kIndexOff;
    return share;
  }
  share.root = question.indexes->Find(question.folder);
  if (share.root == nullptr) {
    share.bypass = Bypass::kNoIndexRoot;
  } else if (question.names_file) {
    share.view = share.root->Look(deadline);
    share.bypass = Bypass::kNamedFile;
  } else {
    share.view = share.root->Begin({question.folder, question.request.rules.traversal, question.counted, question.peek},
                                   deadline);
    share.bypass = share.view.bypass;
    if (share.view.snapshot) AskRoot(share);
  }
  return share;
}

void EndShare(IndexShare& share) {
  if (share.use.test == nullptr || !share.use.test->damage()) return;
  share.root->ReportDamage(*share.use.test->damage());
  share.view.state = index::State::kCorrupt;
  share.bypass = index::State::kCorrupt;
}

Result<IndexExplanation> Explain(const IndexShare& share) {
  IndexExplanation out;
  out.plan = ToString(share.tokens.plan);
  if (share.view.snapshot) {
    auto explained = indexer::Explain(share.view.snapshot, share.tokens);
    if (!explained) return explained.error();
    out = *std::move(explained);
  }
  out.bypass = share.bypass;
  return out;
}

void DescribeIndex(const IndexShare& share, SearchStats& stats) {
  const indexer::View& view = share.view;
  stats.index_safety_state = view.state;
  stats.index_uncertain_reason = view.reason;
  stats.index_exclusion_used = share.use.test != nullptr;
  stats.storage_mode = view.storage;
  stats.storage_fallback_reason = view.storage_fallback;
  stats.index_bypass_reason = share.bypass;
  if (view.doubts_arose) stats.maintenance_action = MaintenanceAction::kBypassExclusion;
  if (!view.build) return;
  stats.build_phase = view.build->phase;
  stats.build_files_total = view.build->files_total;
  stats.build_files_done = view.build->files_done;
  stats.build_elapsed = view.build->elapsed;
}

}  // namespace forge
