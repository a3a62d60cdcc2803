#include "mcp/tool_call.h"

#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "mcp/progress_reporter.h"

namespace forge::mcp {
namespace {

using Prepared = Result<std::unique_ptr<tool::Invocation>>;

std::size_t BytesIn(const In& value) {
  std::size_t bytes = sizeof(In);
  if (value.is_string()) bytes += value.get_ref<const std::string&>().size();
  if (value.is_structured()) {
    for (const In& item : value) bytes += BytesIn(item);
  }
  return bytes;
}

Prepared Prepare(tool::Tool& tool, In&& arguments) {
  auto read = tool.ReadLeniently(std::move(arguments));
  if (!read) return read.error();
  return tool.Prepare(*std::move(read));
}

class Running {
 public:
  Running(Prepared invocation, const CallForm& form, Outlet& outlet, std::shared_ptr<Reply> reply)
      : invocation_(std::move(invocation)),
        id_(form.id),
        era_(form.era),
        structured_(form.structured),
        outlet_(outlet),
        reply_(std::move(reply)) {
    if (form.progress_token != nullptr) progress_token_ = *form.progress_token;
  }

  void Run(const CancelToken& cancel) {
    if (cancel.cancelled()) return;
    std::string message;
    try {
      message = ResultMessage(id_, era_, Answer(cancel));
    } catch (const std::exception& error) {  // out of memory: this call ends, the others go on
      message = ErrorMessage(&id_, kInternalError, error.what());
    }
    if (!cancel.cancelled()) std::move(*reply_).Send(std::move(message));
  }

 private:
  Out Answer(const CancelToken& cancel) {
    if (!invocation_) return CallResult(invocation_.error(), structured_);
    tool::Invocation& invocation = **invocation_;
    std::optional<ProgressReporter> reporter;
    tool::RunOptions options{.cancel = cancel, .hints = true};
    if (progress_token_) {
      reporter.emplace([this](const Progress& p) { outlet_.Write(ProgressMessage(*progress_token_, p)); }, cancel);
      options.progress = [&reporter](const Progress& progress) { reporter->Report(progress); };
    }
    return CallResult(invocation.Run(options), structured_);
  }

  const Prepared invocation_;
  const In id_;
  const Era era_;
  const bool structured_;
  std::optional<In> progress_token_;
  Outlet& outlet_;
  const std::shared_ptr<Reply> reply_;
};

}  // namespace

ToolCall MakeToolCall(tool::Tool& tool, In&& arguments, const CallForm& form, Outlet& outlet,
                      std::shared_ptr<Reply> reply) {
  const std::size_t bytes = BytesIn(arguments);
  // Shared, because std::function must be copyable.
  const auto running = std::make_shared<Running>(Prepare(tool, std::move(arguments)), form, outlet, std::move(reply));
  return {[running](const CancelToken& cancel) { running->Run(cancel); }, bytes};
}

}  // namespace forge::mcp
