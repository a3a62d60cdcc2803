// Which addresses code may be sent to.
//
// https to any host; plain http only to this machine. We are strict on purpose:
// we refuse a URL whose host two readers could understand differently (user
// names, backslashes, spaces).
#pragma once

#include <string_view>

#include "forge/result.h"

namespace forge::llm {

// Says what is wrong, as "is "ftp://x"; must ...", without a password.
Status CheckUrl(std::string_view url);

// The host is localhost, 127.x.x.x or [::1]. `url` has passed CheckUrl.
bool IsLoopback(std::string_view url);

// "api.openai.com" of "https://api.openai.com:443/v1"; "" if there is none.
std::string_view HostOf(std::string_view url);

}  // namespace forge::llm
