// A session of the MCP server, as an agent has it.
//
//   McpSession session(ForgeSearch({"mcp", "--root", tree.root()}));
//   JsonView answer(session.Search(R"({"pattern":"x"})"));
//
// One call at a time. A test that wants answers as documents starts the program
// with `--set mcp.structured=true`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tests/testing/running_program.h"

namespace forge::testing {

class McpSession {
 public:
  explicit McpSession(const Command& command) : program_(command) {
    program_.Write(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
        "\n"
        R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
        "\n");
    began_ = program_.ReadLine().has_value();
  }

  // False: the program ended, or said nothing.
  bool began() const { return began_; }

  // The answer's line; nothing if there is none.
  std::optional<std::string> Search(const std::string& arguments) {
    const std::string id = std::to_string(++id_);
    if (!program_.Write(R"({"jsonrpc":"2.0","id":)" + id +
                        R"(,"method":"tools/call","params":{"name":"Search","arguments":)" + arguments + "}}\n")) {
      return std::nullopt;
    }
    return program_.ReadLine();
  }

  RunningProgram& program() { return program_; }

 private:
  RunningProgram program_;
  bool began_ = false;
  std::uint64_t id_ = 0;
};

}  // namespace forge::testing
