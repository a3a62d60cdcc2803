#include "forge/version.h"

namespace forge {

std::string_view Version() { return FORGE_VERSION; }

}  // namespace forge
