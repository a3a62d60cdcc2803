// Whether this is a build with a sanitizer, for tests that cannot work the same
// there.
#pragma once

namespace forge::testing {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAnySanitizer = true;
#else
inline constexpr bool kAnySanitizer = kThreadSanitizer;
#endif

// How many times as long something may take.
inline constexpr int kSlower = kAnySanitizer ? 6 : 1;

// The reason why a test skips itself under the thread sanitizer: that makes a fork
// of vfork, and a child's errno is then not seen here.
inline constexpr const char* kNoVfork = "the sanitizer makes a fork of vfork";

}  // namespace forge::testing
