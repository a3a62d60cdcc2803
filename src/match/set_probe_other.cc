#include "match/set_probe.h"

namespace forge {

bool SetProbe::Supported() { return false; }

std::size_t SetProbe::Scan(const char* /*text*/, std::size_t& /*begin*/, std::size_t /*end*/) const {
  return std::string_view::npos;
}

}  // namespace forge
