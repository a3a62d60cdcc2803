// One tools/call: makes the answering message from the arguments.
//
// The thread that reads lines prepares the request at once, so that a waiting
// call holds a typed request and no JSON. A call that could not be prepared
// waits for its turn too: its id, its place in a batch and its cancellation
// work as for any other call.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "mcp/calls.h"
#include "mcp/protocol.h"
#include "mcp/reply.h"
#include "tool/tool.h"

namespace forge::mcp {

struct CallForm {
  const In& id;
  Era era;
  const In* progress_token;  // null: the client wants no progress
  bool structured;           // see CallResult()
};

struct ToolCall {
  Calls::Work work;
  std::size_t bytes;  // about how much it holds while it waits
};

// `arguments` is an object, read leniently (tool/parse.h). The tool and the
// outlet must outlive the work.
ToolCall MakeToolCall(tool::Tool& tool, In&& arguments, const CallForm& form, Outlet& outlet,
                      std::shared_ptr<Reply> reply);

}  // namespace forge::mcp
