// The loop around a Server: passes bytes on until they end.
#pragma once

#include <cstddef>
#include <functional>

#include "mcp/server.h"

namespace forge::mcp {

// Waits for bytes and puts them into the buffer. 0: the input has ended.
using Read = std::function<std::size_t(char* buffer, std::size_t size)>;

// Returns when the input has ended or the other side no longer reads. Calls may
// still be running.
void Serve(Server& server, const Read& read);

}  // namespace forge::mcp
