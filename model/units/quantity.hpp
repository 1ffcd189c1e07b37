// Physical quantities over double: time (seconds), data (bytes), work (floating-point operations) and their quotients.
// Base units only, so no operator holds a factor. See docs/units.md and ADR 0001.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <compare>

namespace trainwright::model {

/// Exponents of seconds, bytes and floating-point operations.
template <int Time, int Data, int Work>
struct Dim {
  static constexpr int time = Time;
  static constexpr int data = Data;
  static constexpr int work = Work;
};

template <class Dimension>
class Quantity {
 public:
  constexpr explicit Quantity(double base_units) noexcept : value_(base_units) {}
  /// The number in base units. Only at the edges of the program: files, screens, engines.
  [[nodiscard]] constexpr double count() const noexcept { return value_; }
  [[nodiscard]] static constexpr Quantity zero() noexcept { return Quantity(0.0); }
  [[nodiscard]] bool is_finite() const noexcept { return std::isfinite(value_); }

  friend constexpr auto operator<=>(Quantity, Quantity) noexcept = default;

  constexpr Quantity operator-() const noexcept { return Quantity(-value_); }
  constexpr Quantity& operator+=(Quantity other) noexcept {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) noexcept {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) noexcept {
    value_ *= factor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) noexcept { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) noexcept { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator*(Quantity a, double b) noexcept { return Quantity(a.value_ * b); }
  friend constexpr Quantity operator*(double a, Quantity b) noexcept { return Quantity(a * b.value_); }
  friend constexpr Quantity operator/(Quantity a, double b) noexcept { return Quantity(a.value_ / b); }
  friend constexpr double operator/(Quantity a, Quantity b) noexcept { return a.value_ / b.value_; }

 private:
  double value_;
};

template <int T1, int B1, int F1, int T2, int B2, int F2>
constexpr auto operator*(Quantity<Dim<T1, B1, F1>> a, Quantity<Dim<T2, B2, F2>> b) noexcept {
  if constexpr (T1 + T2 == 0 && B1 + B2 == 0 && F1 + F2 == 0)
    return a.count() * b.count();
  else
    return Quantity<Dim<T1 + T2, B1 + B2, F1 + F2>>(a.count() * b.count());
}

template <int T1, int B1, int F1, int T2, int B2, int F2>
requires(T1 != T2 || B1 != B2 || F1 != F2) constexpr auto operator/(Quantity<Dim<T1, B1, F1>> a,
                                                                    Quantity<Dim<T2, B2, F2>> b) noexcept {
  return Quantity<Dim<T1 - T2, B1 - B2, F1 - F2>>(a.count() / b.count());
}

}  // namespace trainwright::model
