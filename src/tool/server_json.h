// What the shared server says of itself, as JSON.
#pragma once

#include "remote/protocol.h"
#include "tool/write.h"

namespace forge::tool {

// {"process":..,"running_ms":..,"clients":..,"calls":..,"memory_bytes":..,"trees":[
//   {"roots":[..],"working_dir":..,"clients":..,"indexes":[as `index status --json`]}]}
// The client that asks is not counted.
Document ToDocument(const remote::ServerReport& report);

}  // namespace forge::tool
