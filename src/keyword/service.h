// The keyword_search tool: a question in, a ranked list of files out. It knows
// neither JSON nor flags.
//
//   scope -> search stage -> prompt -> model -> checked answer
//
// The search stage may take half of the time, the model the rest. The service
// sends nothing if nothing matches (H6), or with dry_run. It looks for a model
// only when there is something to send, so "nothing matches" and "all terms are
// too broad" can be told without one.
#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "forge/config.h"
#include "forge/keyword.h"
#include "forge/result.h"
#include "keyword/stage.h"
#include "llm/client.h"
#include "llm/http.h"
#include "llm/registry.h"
#include "search/service.h"

namespace forge::keyword {

// Thread-safe. `http` must outlive it.
class KeywordService {
 public:
  KeywordService(const SearchService& search, const Config& config, std::vector<std::string> named_roots,
                 Environment environment, const llm::HttpClient& http, llm::Waiter wait);

  Result<KeywordSearchResponse> Search(const KeywordSearchRequest& request, const CancelToken& cancel) const;

 private:
  Result<Gathered> FindHits(const KeywordSearchRequest& request, const std::string& root,
                            const Deadline& deadline) const;
  const std::string& NameIn(const KeywordSearchRequest& request) const;
  Status AskOrPreview(const KeywordSearchRequest& request, const ModelConfig& preview_model, const Gathered& hits,
                      const std::string& root, const Deadline& deadline, KeywordSearchResponse& response) const;
  // `root` in raw bytes; the response has it as text.
  Status Ask(const ModelConfig& model, const Gathered& hits, const std::string& root, const Deadline& deadline,
             KeywordSearchResponse& response) const;

  const SearchService search_;  // without the caps of Search
  const KeywordConfig config_;
  const std::vector<std::string> named_roots_;
  const std::string home_;
  const llm::Registry models_;
  const llm::Client client_;
};

}  // namespace forge::keyword
