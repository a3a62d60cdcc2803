// The folders that a client has offered to work in.
//
// We ask a client of the legacy era by a request (`roots/list`) after the
// handshake, and again when it says that the roots changed. We ask a client of
// the modern era in the answer to its call (`input_required`). A call that
// comes while a question is open waits for the answer, but no longer than
// `patience` after the question. Searching the wrong folder would be worse than
// answering late, and a client that never answers must not block calls.
//
// Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace forge::mcp {

class ClientRoots {
 public:
  using Clock = std::chrono::steady_clock;

  // `wanted` is false if better sources have named the folders; then we ask no
  // client.
  explicit ClientRoots(bool wanted, std::chrono::milliseconds patience = std::chrono::seconds(2))
      : wanted_(wanted), patience_(patience) {}

  bool wanted() const { return wanted_; }

  // Called when it becomes known which folders these are, or that there are none,
  // and when they change. Set it before the conversation begins.
  void OnKnown(std::function<void()> call) {
    const Lock lock(mutex_);
    on_known_ = std::move(call);
  }

  void Asked();
  void Answered(std::vector<std::string> folders);
  // The client offers none.
  void NoneToSend() { Answered({}); }

  // Empty if the client offered none, or did not answer in time.
  std::vector<std::string> Get();

 private:
  const bool wanted_;
  const std::chrono::milliseconds patience_;
  Mutex mutex_;
  Condition answered_;
  std::optional<Clock::time_point> asked_ GUARDED_BY(mutex_);  // an answer is awaited since then
  std::vector<std::string> folders_ GUARDED_BY(mutex_);
  bool known_ GUARDED_BY(mutex_) = false;
  std::function<void()> on_known_ GUARDED_BY(mutex_);
};

// {"roots":[{"uri":"file:///home/me/a%20b"}]} as folders: "/home/me/a b".
// Leaves out what is not a file URI, and roots beyond the 64th.
std::vector<std::string> FoldersOf(const nlohmann::json& list_result);

// "file:///a%20b" is "/a b"; nothing for other URIs and for broken ones.
std::optional<std::string> PathOfFileUri(std::string_view uri);

}  // namespace forge::mcp
