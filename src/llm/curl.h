// HTTP through libcurl, which is loaded at the first request.
//
// It verifies certificates, follows no redirects, uses no proxy for a loopback
// address, and ends a wait at once when the caller cancels.
#pragma once

#include <memory>

#include "llm/http.h"

namespace forge::llm {

std::unique_ptr<HttpClient> MakeCurlClient();

}  // namespace forge::llm
