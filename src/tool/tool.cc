#include "tool/tool.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "tool/parse.h"

namespace forge::tool {

Result<Arguments> Tool::ReadLeniently(nlohmann::json&& arguments) const {
  return ReadArguments(definition().fields, std::move(arguments), Leniency::kLenient);
}

}  // namespace forge::tool
