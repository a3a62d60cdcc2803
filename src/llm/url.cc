#include "llm/url.h"

#include <algorithm>
#include <string>

#include "base/secrets.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace forge::llm {
namespace {

constexpr std::string_view kHttps = "https://";
constexpr std::string_view kHttp = "http://";

// The part between the scheme and the path.
std::string_view Authority(std::string_view url) {
  const std::size_t begin = url.find("://");
  if (begin == std::string_view::npos) return "";
  url.remove_prefix(begin + 3);
  return url.substr(0, url.find_first_of("/?#"));
}

bool IsHostByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
         c == '_' || c == ':' || c == '[' || c == ']';
}

// 127.0.0.1 and its like; four numbers and nothing else, so not 127.evil.com.
bool IsLoopbackAddress(std::string_view host) {
  const auto parts = Split(host, '.');
  return parts.size() == 4 && parts[0] == "127" && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           return !part.empty() && part.size() <= 3 && part.find_first_not_of("0123456789") == std::string_view::npos;
         });
}

Error Refused(std::string_view url, std::string_view why) {
  return ExecutionFailed("is \"" + Sanitize(LossyUtf8(ShownUrl(url))) + "\"; " + std::string(why));
}

}  // namespace

std::string_view HostOf(std::string_view url) {
  std::string_view host = Authority(url);
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool IsLoopback(std::string_view url) {
  const std::string_view host = HostOf(url);
  return host == "localhost" || host == "[::1]" || IsLoopbackAddress(host);
}

Status CheckUrl(std::string_view url) {
  const bool plain = url.starts_with(kHttp);
  if (!plain && !url.starts_with(kHttps)) return Refused(url, "must start with https://");
  const std::string_view authority = Authority(url);
  const bool clean = std::all_of(authority.begin(), authority.end(), IsHostByte) &&
                     std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c < 0x7F && c != '\\'; });
  if (!clean || HostOf(url).empty()) return Refused(url, "must be https://HOST[:PORT]/PATH, without a user name");
  if (plain && !IsLoopback(url)) {
    return Refused(url, "must start with https://, because source code goes there; http:// is for this machine only");
  }
  return {};
}

}  // namespace forge::llm
