#include "llm/curl.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/cancel.h"
#include "base/secrets.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "forge/version.h"
#include "llm/url.h"
#include "os/library.h"
#include "os/wake.h"

namespace forge::llm {
namespace {

using Kind = HttpFailure::Kind;

constexpr long kConnectTimeoutMs = 5000;
constexpr int kLookForCancelMs = 20;  // where no descriptor tells
constexpr std::size_t kMaxHeaders = 100;

// The functions of libcurl that we use, found by name.
struct Api {
  decltype(&curl_global_init) global_init;
  decltype(&curl_easy_init) easy_init;
  decltype(&curl_easy_setopt) easy_setopt;
  decltype(&curl_easy_getinfo) easy_getinfo;
  decltype(&curl_easy_cleanup) easy_cleanup;
  decltype(&curl_easy_strerror) easy_strerror;
  decltype(&curl_slist_append) slist_append;
  decltype(&curl_slist_free_all) slist_free_all;
  decltype(&curl_multi_init) multi_init;
  decltype(&curl_multi_add_handle) multi_add_handle;
  decltype(&curl_multi_remove_handle) multi_remove_handle;
  decltype(&curl_multi_perform) multi_perform;
  decltype(&curl_multi_poll) multi_poll;
  decltype(&curl_multi_info_read) multi_info_read;
  decltype(&curl_multi_cleanup) multi_cleanup;
};

template <typename Function>
bool Find(const os::Library& library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(library.Symbol(name));
  return out != nullptr;
}

Result<Api> LoadApi() {
  const auto library = os::Library::Open(os::LibraryName("curl", 4));
  if (!library) return ExecutionFailed(library.error().message + "; install libcurl 7.66 or newer (Debian: libcurl4)");
  Api api = {};
  const bool complete =
      Find(*library, "curl_global_init", api.global_init) && Find(*library, "curl_easy_init", api.easy_init) &&
      Find(*library, "curl_easy_setopt", api.easy_setopt) && Find(*library, "curl_easy_getinfo", api.easy_getinfo) &&
      Find(*library, "curl_easy_cleanup", api.easy_cleanup) &&
      Find(*library, "curl_easy_strerror", api.easy_strerror) &&
      Find(*library, "curl_slist_append", api.slist_append) &&
      Find(*library, "curl_slist_free_all", api.slist_free_all) && Find(*library, "curl_multi_init", api.multi_init) &&
      Find(*library, "curl_multi_add_handle", api.multi_add_handle) &&
      Find(*library, "curl_multi_remove_handle", api.multi_remove_handle) &&
      Find(*library, "curl_multi_perform", api.multi_perform) && Find(*library, "curl_multi_poll", api.multi_poll) &&
      Find(*library, "curl_multi_info_read", api.multi_info_read) &&
      Find(*library, "curl_multi_cleanup", api.multi_cleanup);
  if (!complete) return ExecutionFailed(os::LibraryName("curl", 4) + " is older than 7.66; install a newer one");
  api.global_init(CURL_GLOBAL_DEFAULT);
  return api;
}

// We load it once for the process: libcurl's own state is global.
const Result<Api>& SharedApi() {
  static const Result<Api> api = LoadApi();
  return api;
}

// The part of the reply that has arrived.
struct Arrival {
  HttpReply reply;
  bool too_large = false;
};

std::size_t TakeBody(char* data, std::size_t /*one*/, std::size_t size, void* to) {
  Arrival& arrival = *static_cast<Arrival*>(to);
  arrival.too_large = arrival.reply.body.size() + size > kMaxReplyBytes;
  if (arrival.too_large) return 0;  // ends the transfer
  arrival.reply.body.append(data, size);
  return size;
}

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::size_t TakeHeader(char* data, std::size_t /*one*/, std::size_t size, void* to) {
  auto& headers = static_cast<Arrival*>(to)->reply.headers;
  const std::string_view line(data, size);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || headers.size() >= kMaxHeaders) return size;
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  headers[std::move(name)] = Trim(line.substr(colon + 1));
  return size;
}

// One request. libcurl needs this order of destruction: the transfer leaves the
// loop before either is freed, and the headers go last.
class Transfer {
 public:
  Transfer(const Api& api, const HttpRequest& request)
      : api_(api), request_(request), easy_(api.easy_init()), multi_(api.multi_init()) {}
  ~Transfer() {
    if (easy_ != nullptr && multi_ != nullptr) api_.multi_remove_handle(multi_, easy_);
    if (easy_ != nullptr) api_.easy_cleanup(easy_);
    if (multi_ != nullptr) api_.multi_cleanup(multi_);
    api_.slist_free_all(headers_);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  HttpOutcome Run(const Deadline& deadline) {
    if (easy_ == nullptr || multi_ == nullptr) return HttpFailure{Kind::kUnavailable, "libcurl cannot be started"};
    SetOptions(deadline);
    api_.multi_add_handle(multi_, easy_);
    int running = 1;
    while (true) {
      api_.multi_perform(multi_, &running);
      if (deadline.cancelled()) return HttpFailure{Kind::kCancelled, "cancelled"};
      if (running == 0) break;
      if (deadline.expired()) return HttpFailure{Kind::kTimeout, "no answer in time"};
      Wait(deadline);
    }
    return Outcome();
  }

 private:
  template <typename Value>
  void Set(CURLoption option, Value value) {
    api_.easy_setopt(easy_, option, value);
  }

  void SetOptions(const Deadline& deadline) {
    for (const HttpHeader& header : request_.headers) AddHeader(header.name + ": " + header.value);
    AddHeader("Expect:");  // without it, some servers make us wait for a second
    Set(CURLOPT_URL, request_.url.c_str());
    Set(CURLOPT_HTTPHEADER, headers_);
    Set(CURLOPT_POST, 1L);
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    Set(CURLOPT_POSTFIELDS, request_.body.data());
    Set(CURLOPT_USERAGENT, agent_.c_str());
    Set(CURLOPT_WRITEFUNCTION, &TakeBody);
    Set(CURLOPT_WRITEDATA, static_cast<void*>(&arrival_));
    Set(CURLOPT_HEADERFUNCTION, &TakeHeader);
    Set(CURLOPT_HEADERDATA, static_cast<void*>(&arrival_));
    Set(CURLOPT_ERRORBUFFER, error_);
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_QUICK_EXIT, 1L);  // otherwise a slow look-up of a name would delay a cancelled call
    Set(CURLOPT_FOLLOWLOCATION, 0L);
    Set(CURLOPT_SSL_VERIFYPEER, 1L);
    Set(CURLOPT_SSL_VERIFYHOST, 2L);
    Set(CURLOPT_ACCEPT_ENCODING, "");
    const int left = deadline.PollTimeout();
    Set(CURLOPT_CONNECTTIMEOUT_MS, left < 0 ? kConnectTimeoutMs : std::clamp<long>(left, 1, kConnectTimeoutMs));
    if (IsLoopback(request_.url)) Set(CURLOPT_PROXY, "");
  }

  void AddHeader(const std::string& line) { headers_ = api_.slist_append(headers_, line.c_str()); }

  void Wait(const Deadline& deadline) {
    const int fd = WakeFd(deadline.cancel());
    const bool wakes = fd >= 0 && os::WakesAmongSockets();
    const int longest = fd >= 0 && !wakes ? kLookForCancelMs : 60'000;
    const int left = deadline.PollTimeout();
    curl_waitfd wake = {static_cast<curl_socket_t>(fd), CURL_WAIT_POLLIN, 0};
    api_.multi_poll(multi_, &wake, wakes ? 1 : 0, left < 0 ? longest : std::clamp(left, 1, longest), nullptr);
  }

  HttpOutcome Outcome() {
    int left = 0;
    const CURLMsg* const message = api_.multi_info_read(multi_, &left);
    const CURLcode code = message != nullptr ? message->data.result : CURLE_FAILED_INIT;
    if (arrival_.too_large) {
      return HttpFailure{Kind::kTooLarge, "the reply is larger than " + std::to_string(kMaxReplyBytes >> 20) + " MiB"};
    }
    if (code != CURLE_OK) return Failure(code);
    long status = 0;
    api_.easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    arrival_.reply.status = static_cast<int>(status);
    return std::move(arrival_.reply);
  }

  HttpFailure Failure(CURLcode code) const {
    std::string message = LossyUtf8(error_[0] != '\0' ? error_ : api_.easy_strerror(code));
    return {KindOf(code), HideUrlUsers(Sanitize(message))};  // a proxy's address may hold a password
  }

  static Kind KindOf(CURLcode code) {
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT: return Kind::kTimeout;
      case CURLE_PARTIAL_FILE:
      case CURLE_GOT_NOTHING:
      case CURLE_RECV_ERROR: return Kind::kCut;
      case CURLE_SSL_CONNECT_ERROR:
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CERTPROBLEM:
      case CURLE_SSL_CACERT_BADFILE:
      case CURLE_SSL_ISSUER_ERROR: return Kind::kTls;
      case CURLE_UNSUPPORTED_PROTOCOL:
      case CURLE_URL_MALFORMAT:
      case CURLE_FAILED_INIT: return Kind::kUnavailable;
      default: return Kind::kConnect;
    }
  }

  const Api& api_;
  const HttpRequest& request_;
  const std::string agent_ = "forge-search/" + std::string(Version());
  curl_slist* headers_ = nullptr;
  CURL* easy_;
  CURLM* multi_;
  Arrival arrival_;
  char error_[CURL_ERROR_SIZE] = {};
};

class CurlClient final : public HttpClient {
 public:
  HttpOutcome Post(const HttpRequest& request, const Deadline& deadline) const override {
    if (const Status url = CheckUrl(request.url); !url) {
      return HttpFailure{Kind::kUnavailable, "the address " + url.error().message};
    }
    const Result<Api>& api = SharedApi();
    if (!api) return HttpFailure{Kind::kUnavailable, api.error().message};
    return Transfer(*api, request).Run(deadline);
  }
};

}  // namespace

std::unique_ptr<HttpClient> MakeCurlClient() { return std::make_unique<CurlClient>(); }

}  // namespace forge::llm
