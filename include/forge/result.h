// A value or an Error. (std::expected is C++23.)
//
// If a program asks a failed Result for its value, or a successful one for its
// error, the program stops, in release builds too: otherwise it would read
// memory that is not there.
#pragma once

#include <cstdlib>
#include <optional>
#include <utility>
#include <variant>

#include "forge/error.h"

namespace forge {

template <typename T>
class [[nodiscard]] Result {
 public:
  // Both conversions are implicit on purpose: `return value;`, `return error;`.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(value()); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const T& value() const& {
    if (!ok()) std::abort();
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    if (!ok()) std::abort();
    return *std::get_if<0>(&state_);
  }

  const Error& error() const& {
    if (ok()) std::abort();
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    if (ok()) std::abort();
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& {
    if (ok()) std::abort();
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace forge
