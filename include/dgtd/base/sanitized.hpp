#pragma once
// States whether the code is compiled with the address sanitizer, of GCC or of clang.

namespace dgtd {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace dgtd
