#include "mcp/serve.h"

#include <vector>

#include "mcp/line_splitter.h"

namespace forge::mcp {

void Serve(Server& server, const Read& read) {
  LineSplitter lines({.line = [&](std::string_view line) { server.HandleLine(line); },
                      .too_long = [&] { server.HandleTooLongLine(); }});
  std::vector<char> buffer(64 * 1024);
  while (!server.closed()) {
    const std::size_t size = read(buffer.data(), buffer.size());
    if (size == 0) return lines.Finish();
    lines.Feed({buffer.data(), size});
  }
}

}  // namespace forge::mcp
