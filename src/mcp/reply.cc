#include "mcp/reply.h"

#include <cassert>

namespace forge::mcp {

void Outlet::Write(std::string message) {
  message += '\n';
  const Lock lock(mutex_);
  if (!closed_ && !sink_(message)) closed_ = true;
}

void Batch::Add(const std::string& message) {
  const Lock lock(mutex_);
  if (!messages_.empty()) messages_ += ',';
  messages_ += message;
}

Batch::~Batch() {
  if (!messages_.empty()) outlet_.Write('[' + messages_ + ']');
}

void Reply::Send(std::string message) && {
  assert(outlet_ != nullptr);
  Outlet* const outlet = std::exchange(outlet_, nullptr);
  if (batch_ == nullptr) return outlet->Write(std::move(message));
  batch_->Add(message);
  batch_.reset();
}

}  // namespace forge::mcp
