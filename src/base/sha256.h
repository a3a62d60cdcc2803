// SHA-256 (FIPS 180-4), for names that must not collide.
//
//   Sha256Hex("abc") == "ba7816bf 8f01cfea ..."   (without the spaces)
//
// Written here because a cryptographic library would be a large dependency for
// one function. Short inputs only: about 200 MB/s.
#pragma once

#include <string>
#include <string_view>

namespace forge {

// 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace forge
