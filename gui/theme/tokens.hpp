// All colours and sizes of the window, light and dark side by side. Hues of the activities are from Okabe and Ito's
// colour-blind safe set (Color Universal Design, 2008) and Tol's muted set (2021); waiting is told by pattern as well.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>
#include <array>

#include "gui/timeline/activity.hpp"
#include "model/graph/task.hpp"

namespace trainwright::gui::tokens {

/// One colour in both themes, 0xRRGGBB.
struct Tone {
  quint32 light;
  quint32 dark;
};

inline constexpr int kGrid = 8;  ///< pixels; every distance is a multiple or a half of it
inline constexpr double kSmallPoints = 9.0;
inline constexpr double kNormalPoints = 10.0;
inline constexpr double kLargePoints = 15.0;

inline constexpr Tone kWindow{0xF4F5F7, 0x1B1D21};
inline constexpr Tone kSurface{0xFFFFFF, 0x25282D};
inline constexpr Tone kRail{0xE9EBEF, 0x15171A};
inline constexpr Tone kBorder{0xD5D9E0, 0x3A3F47};
inline constexpr Tone kText{0x1C2024, 0xE8EAED};
inline constexpr Tone kMuted{0x5C6570, 0xA0A8B2};
inline constexpr Tone kAccent{0x1F5FBF, 0x6FA8FF};
inline constexpr Tone kOnAccent{0xFFFFFF, 0x10131A};
inline constexpr Tone kGood{0x1B7F4B, 0x5CCB8F};
inline constexpr Tone kWarning{0x9A6200, 0xF0B54A};
inline constexpr Tone kBad{0xB3261E, 0xFF8A80};

enum class Pattern { solid, diagonal, cross, dots, horizontal };

struct ActivityLook {
  Tone tone;
  Pattern pattern;
};

inline constexpr std::array<ActivityLook, kActivityCount> kActivities{{
    {{0x0072B2, 0x3D9BD6}, Pattern::solid},       // compute
    {{0x56B4E9, 0x8CCBF0}, Pattern::diagonal},    // recompute
    {{0xE69F00, 0xE8A82B}, Pattern::solid},       // tensor
    {{0xE5D633, 0xF0E442}, Pattern::solid},       // context
    {{0xCC79A7, 0xD68FB6}, Pattern::solid},       // expert
    {{0xD55E00, 0xE8742A}, Pattern::solid},       // data
    {{0x009E73, 0x2BB98F}, Pattern::solid},       // pipeline
    {{0xA9AFB8, 0x6E7682}, Pattern::diagonal},    // bubble
    {{0x4B3F9E, 0x9A8FE0}, Pattern::solid},       // optimizer
    {{0x7D6B3F, 0xB3A06F}, Pattern::horizontal},  // host
    {{0x882255, 0xC25C8E}, Pattern::dots},        // data_stall
    {{0xAA4499, 0xD078C2}, Pattern::cross},       // checkpoint_stall
    {{0xE3E6EA, 0x33373D}, Pattern::solid},       // idle
}};

/// Memory is another quantity than time: state of the model in blues, results kept in teals, buffers in sands, overhead
/// grey.
inline constexpr std::array<Tone, model::kMemoryTermCount> kMemoryTerms{{
    {0x2F4B8F, 0x7F9BE0},  // weights
    {0x5B77BA, 0xA3B8EA},  // gradients
    {0x8FA3D4, 0xC3CFF2},  // master_weights
    {0xBAC6E6, 0x5F76B3},  // moments
    {0x1F7A6C, 0x4FB5A5},  // activations
    {0x6DB5A9, 0x93D6CA},  // logits
    {0x8A6D3B, 0xC7A76B},  // buckets
    {0xB7995F, 0xDCC48F},  // gathered_parameters
    {0xD9C49A, 0x9C8250},  // communication
    {0xC8BFA9, 0x857B66},  // workspaces
    {0x7A808A, 0x8A919C},  // context
    {0xB9BEC6, 0x626973},  // fragmentation
}};

}  // namespace trainwright::gui::tokens
