// What a client and the shared server say to each other (R10).
//
//   client                              server
//   Hello                          ->
//                                  <-   Hello            any difference: both hang up
//   Open: configuration, roots     ->
//                                  <-   Opened | Refused
//   Search                         ->
//                                  <-   Events*, File*, Progress*, Alive*   in any mix
//                                  <-   Answer | Failed
//   (the next Search, or hang up)
//
// One call at a time on a connection; a client with several calls has several
// connections. So a frame needs no number, results come on the thread that
// asked, and a reader that is slow makes the search wait. To cancel a call, the
// client hangs up. So does a client that is killed: the server sees both in the
// same way, and stops the call.
//
// Events are the matches of the answer, in order; the Answer itself has none. A
// File comes after its events. A caller that has enough hangs up.
// While a call runs, the server says something at least every kAliveEvery. A
// client that hears nothing for kLongestSilence takes the server for hung.
//
// Rejected: many calls on one connection, with numbers and a thread that sorts
// them out. It saves a few descriptors and needs flow control for each call.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/environment.h"
#include "forge/config.h"
#include "forge/engine.h"
#include "forge/version.h"
#include "wire/types.h"

namespace forge::remote {

inline constexpr std::uint32_t kProtocol = 2;
inline constexpr std::chrono::milliseconds kAliveEvery{50};
inline constexpr std::chrono::milliseconds kLongestSilence{1000};
// How long each step before the first call may take.
inline constexpr std::chrono::milliseconds kHandshakeTime{500};
// Opening a tree may have to ask a searcher for its version.
inline constexpr std::chrono::milliseconds kOpenTime{2000};

// What a request may be; a larger one is answered in the client's own process.
inline constexpr std::size_t kMostRequest = 4 << 20;
// What a reply may be. Only lists of errors come near; events come in pieces.
inline constexpr std::size_t kMostReply = 64 << 20;

enum class Type : std::uint8_t {
  kHello = 1,
  // from the client
  kOpen = 2,
  kSearch = 3,
  kIndexStatus = 4,
  kServerStatus = 5,
  kStop = 6,
  // from the server
  kOpened = 32,
  kRefused = 33,
  kEvents = 34,
  kProgress = 35,
  kAlive = 36,
  kAnswer = 37,
  kFailed = 38,
  kIndexStatuses = 39,
  kServerReport = 40,
  kStopping = 41,
  kFile = 42,
};

struct Hello {
  std::uint32_t protocol = kProtocol;
  std::string version = std::string(forge::Version());
  std::string build;  // which program file it is (remote/place.h)

  friend bool operator==(const Hello&, const Hello&) = default;
};

struct Variable {
  std::string name;
  std::string value;
};

// What decides about an answer, in addition to the request. Everything in it is
// resolved: paths are absolute, and the environment holds only variables that
// matter. Keys of language models stay with the client.
struct Open {
  std::string config;  // EncodeConfig()
  std::vector<std::string> roots;
  std::string working_dir;
  std::vector<Variable> environment;
  // Which files the configured searchers are now. An engine chooses its searcher
  // once; when one was installed, replaced or removed, it is another engine.
  std::vector<std::string> searchers;
  // Only if the server has this tree already. Single commands say so: they must
  // not make it index and watch each folder in which they are run.
  bool join_only = false;
};

struct Opened {
  std::vector<std::string> roots;
  std::string working_dir;
  std::vector<std::string> backend_diagnostics;
  std::vector<std::string> index_diagnostics;
};

enum class RefusedBecause {
  kNotOpen,       // join_only, and the server does not have this tree
  kTooMany,       // trees
  kBadRequest,    // not something that a client of ours sends
  kCannotCreate,  // the engine; the client's own process will say why
  kEnding,
};

struct Refused {
  RefusedBecause reason = RefusedBecause::kBadRequest;
};

struct Search {
  SearchRequest request;
  bool counted = true;
  bool keep_events = true;
  bool progress = false;  // wanted
  bool files = false;     // SearchOptions::on_file is wanted
  bool any_file = false;  // SearchOptions::on_any_file
  std::optional<std::string> show_as;
  bool hints = false;   // SearchOptions::hints
  AnswerLimits limits;  // of the client's configuration
};

struct ProgressReport {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
  std::string what;
};

struct TreeReport {
  std::vector<std::string> roots;
  std::string working_dir;
  std::uint64_t clients = 0;
  std::vector<IndexStatus> indexes;
};

struct ServerReport {
  std::int64_t process = 0;
  std::chrono::milliseconds running{};
  std::uint64_t clients = 0;  // this one included
  std::uint64_t calls = 0;    // so far
  std::uint64_t memory_bytes = 0;
  std::vector<TreeReport> trees;
};

// The keys of [tools.search] and [tools.sandbox], as the table of keys lists them:
// what an engine needs in order to search. Not allowed_roots, which Open::roots
// replaces, and not the limits of answers, which Search::limits has.
std::string EncodeConfig(const Config& config);
// Nothing if the bytes are not that, or a value is not allowed.
std::optional<Config> DecodeConfig(std::string_view bytes);

// The variables of `environment` that a search with this configuration depends on.
std::vector<Variable> VariablesFor(const Config& config, const Environment& environment);
Environment EnvironmentOf(const std::vector<Variable>& variables);

}  // namespace forge::remote

namespace forge::wire {

template <>
inline constexpr auto kLast<remote::RefusedBecause> = remote::RefusedBecause::kEnding;

template <>
struct Described<remote::Hello> {
  static auto Members(auto& value) {
    auto& [protocol, version, build] = value;
    return std::tie(protocol, version, build);
  }
};

template <>
struct Described<remote::Variable> {
  static auto Members(auto& value) {
    auto& [name, text] = value;
    return std::tie(name, text);
  }
};

template <>
struct Described<remote::Open> {
  static auto Members(auto& value) {
    auto& [config, roots, working_dir, environment, searchers, join_only] = value;
    return std::tie(config, roots, working_dir, environment, searchers, join_only);
  }
};

template <>
struct Described<remote::Opened> {
  static auto Members(auto& value) {
    auto& [roots, working_dir, backend_diagnostics, index_diagnostics] = value;
    return std::tie(roots, working_dir, backend_diagnostics, index_diagnostics);
  }
};

template <>
struct Described<remote::Refused> {
  static auto Members(auto& value) {
    auto& [reason] = value;
    return std::tie(reason);
  }
};

template <>
struct Described<remote::Search> {
  static auto Members(auto& value) {
    auto& [request, counted, keep_events, progress, files, any_file, show_as, hints, limits] = value;
    return std::tie(request, counted, keep_events, progress, files, any_file, show_as, hints, limits);
  }
};

template <>
struct Described<AnswerLimits> {
  static auto Members(auto& value) {
    auto& [timeout, max_results, max_matches_per_file, max_files, max_file_size_bytes] = value;
    return std::tie(timeout, max_results, max_matches_per_file, max_files, max_file_size_bytes);
  }
};

template <>
struct Described<remote::ProgressReport> {
  static auto Members(auto& value) {
    auto& [done, total, what] = value;
    return std::tie(done, total, what);
  }
};

template <>
struct Described<remote::TreeReport> {
  static auto Members(auto& value) {
    auto& [roots, working_dir, clients, indexes] = value;
    return std::tie(roots, working_dir, clients, indexes);
  }
};

template <>
struct Described<remote::ServerReport> {
  static auto Members(auto& value) {
    auto& [process, running, clients, calls, memory_bytes, trees] = value;
    return std::tie(process, running, clients, calls, memory_bytes, trees);
  }
};

}  // namespace forge::wire
