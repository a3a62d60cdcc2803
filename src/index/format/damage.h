// Stored data that is not what was written.
//
// Damage has a code of its own because its cure is known: the index is cleared
// and built anew.
#pragma once

#include <string>

#include "forge/error.h"

namespace forge::index {

// "the index is damaged: " and what is wrong.
Error Damaged(std::string what);

// Also of data from another version.
bool IsDamage(const Error& error);

}  // namespace forge::index
