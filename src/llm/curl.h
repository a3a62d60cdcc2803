// HTTP through libcurl, which is loaded at the first request.
//
// Certificates are verified, redirects are not followed, a loopback address is
// never asked through a proxy, and a wait ends at once when the caller cancels.
#pragma once

#include <memory>

#include "llm/http.h"

namespace forge::llm {

std::unique_ptr<HttpClient> MakeCurlClient();

}  // namespace forge::llm
