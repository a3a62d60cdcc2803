// Requests as JSON: strict and lenient reading never crash, and agree where both
// accept; nor does the reading of what models write.
#include <nlohmann/json.hpp>

#include "agent/call.h"
#include "fuzz/fuzz.h"
#include "tool/parse.h"
#include "tool/search_tool.h"

namespace forge {
namespace {

Result<std::shared_ptr<Engine>> NoEngine() { return Error{.message = "none"}; }

// As the MCP server reads a call: with the words of other tools.
void ReadAsAModelWrites(std::string_view text) {
  auto json = tool::ParseJson(text);
  if (!json || !json->is_object()) return;
  auto fields = agent::ReadFields(*std::move(json));
  if (!fields) return fuzz::Require(!fields.error().message.empty(), "an error says what is wrong");
  const auto call = agent::ToCall(*std::move(fields));
  fuzz::Require(call.ok() || !call.error().message.empty(), "an error says what is wrong");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<tool::Tool> search = tool::MakeSearchTool(NoEngine);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto& fields = search->definition().fields;
  auto strict = tool::ParseArguments(fields, text, tool::Leniency::kStrict);
  auto lenient = tool::ParseArguments(fields, text, tool::Leniency::kLenient);
  fuzz::Require(!strict.ok() || lenient.ok(), "what is strictly right is leniently right");
  if (!strict) fuzz::Require(!strict.error().message.empty(), "an error says what is wrong");
  if (lenient) (void)search->Prepare(*std::move(lenient));
  ReadAsAModelWrites(text);
  return 0;
}

}  // namespace forge
