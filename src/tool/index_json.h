// The output of the `index` commands, as JSON.
#pragma once

#include <vector>

#include "forge/index.h"
#include "tool/write.h"

namespace forge::tool {

Document ToDocument(const std::vector<IndexStatus>& statuses);
Document ToDocument(const std::vector<StoredIndexInfo>& stored);
Document ToDocument(const std::vector<IndexVerification>& verifications);
Document ToDocument(const IndexExplanation& explanation);

}  // namespace forge::tool
