// Which addresses code may be sent to.
//
// https anywhere; plain http only to this machine. The reading is strict and
// narrow on purpose: where two readers of a URL could disagree about its host
// (user names, backslashes, spaces), it is refused.
#pragma once

#include <string_view>

#include "forge/result.h"

namespace forge::llm {

// Says what is wrong, as "is "ftp://x"; must ...".
Status CheckUrl(std::string_view url);

// The host is localhost, 127.x.x.x or [::1]. `url` has passed CheckUrl.
bool IsLoopback(std::string_view url);

// "api.openai.com" of "https://api.openai.com:443/v1"; "" if there is none.
std::string_view HostOf(std::string_view url);

}  // namespace forge::llm
