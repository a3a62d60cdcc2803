// The keyword_search tool: a question in, a ranked list of files out. It knows
// neither JSON nor flags.
//
//   scope -> search stage -> prompt -> model -> checked answer
//
// The search stage may take half of the time, the model the rest. The service
// sends nothing if nothing matches (H6), or with dry_run.
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

// Thread-safe. Arguments passed by reference must outlive it.
class KeywordService {
 public:
  KeywordService(const SearchService& search, const Config& config, std::vector<std::string> named_roots,
                 Environment environment, const llm::HttpClient& http, llm::Waiter wait);

  Result<KeywordSearchResponse> Search(const KeywordSearchRequest& request, const CancelToken& cancel) const;

 private:
  Result<Gathered> FindHits(const KeywordSearchRequest& request, const std::string& root,
                            const Deadline& deadline) const;
  Status Ask(const ModelConfig& model, const Gathered& hits, const std::string& root, const Deadline& deadline,
             KeywordSearchResponse& response) const;

  const SearchService& search_;
  const KeywordConfig config_;
  const std::vector<std::string> named_roots_;
  const std::string home_;
  const llm::Registry models_;
  const llm::Client client_;
};

}  // namespace forge::keyword
