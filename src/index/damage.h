// Stored data that is not what was written.
//
// Damage is an error of its own because its cure is known: the index is cleared
// and built anew. It is recognised by the start of its message; a new ErrorKind
// would be seen by users of the library, who cannot do anything about it.
#pragma once

#include <string>

#include "forge/error.h"

namespace forge::index {

// "the index is damaged: " and what is wrong.
Error Damaged(std::string what);

// Also of data from another version.
bool IsDamage(const Error& error);

}  // namespace forge::index
