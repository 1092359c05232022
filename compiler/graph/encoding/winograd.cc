#include "compiler/graph/encoding/winograd.h"

namespace assay::graph {
namespace {

// clang-format off
constexpr double kInput2[] = {
    1,  0, -1,  0,
    0,  1,  1,  0,
    0, -1,  1,  0,
    0,  1,  0, -1,
};
constexpr double kFilter2[] = {
    1,      0,      0,
    0.5,    0.5,    0.5,
    0.5,   -0.5,    0.5,
    0,      0,      1,
};
constexpr double kOutput2[] = {
    1,  1,  1,  0,
    0,  1, -1, -1,
};

constexpr double kInput4[] = {
    4,  0, -5,  0,  1,  0,
    0, -4, -4,  1,  1,  0,
    0,  4, -4, -1,  1,  0,
    0, -2, -1,  2,  1,  0,
    0,  2, -1, -2,  1,  0,
    0,  4,  0, -5,  0,  1,
};
constexpr double kFilter4[] = {
    1.0 / 4,    0,          0,
    -1.0 / 6,  -1.0 / 6,   -1.0 / 6,
    -1.0 / 6,   1.0 / 6,   -1.0 / 6,
    1.0 / 24,   1.0 / 12,   1.0 / 6,
    1.0 / 24,  -1.0 / 12,   1.0 / 6,
    0,          0,          1,
};
constexpr double kOutput4[] = {
    1,  1,  1,  1,  1,  0,
    0,  1, -1,  2, -2,  0,
    0,  1,  1,  4,  4,  0,
    0,  1, -1,  8, -8,  1,
};

constexpr double kInput6[] = {
    1,  0,    -5.25,  0,     5.25,  0,    -1,  0,
    0,  1,     1,    -4.25, -4.25,  1,     1,  0,
    0, -1,     1,     4.25, -4.25, -1,     1,  0,
    0,  0.5,   0.25, -2.5,  -1.25,  2,     1,  0,
    0, -0.5,   0.25,  2.5,  -1.25, -2,     1,  0,
    0,  2,     4,    -2.5,  -5,     0.5,   1,  0,
    0, -2,     4,     2.5,  -5,    -0.5,   1,  0,
    0, -1,     0,     5.25,  0,    -5.25,  0,  1,
};
constexpr double kFilter6[] = {
    1,           0,           0,
    -2.0 / 9,   -2.0 / 9,    -2.0 / 9,
    -2.0 / 9,    2.0 / 9,    -2.0 / 9,
    1.0 / 90,    1.0 / 45,    2.0 / 45,
    1.0 / 90,   -1.0 / 45,    2.0 / 45,
    32.0 / 45,   16.0 / 45,   8.0 / 45,
    32.0 / 45,  -16.0 / 45,   8.0 / 45,
    0,           0,           1,
};
constexpr double kOutput6[] = {
    1,  1,  1,   1,   1,  1,         1,        0,
    0,  1, -1,   2,  -2,  1.0 / 2,  -1.0 / 2,  0,
    0,  1,  1,   4,   4,  1.0 / 4,   1.0 / 4,  0,
    0,  1, -1,   8,  -8,  1.0 / 8,  -1.0 / 8,  0,
    0,  1,  1,  16,  16,  1.0 / 16,  1.0 / 16, 0,
    0,  1, -1,  32, -32,  1.0 / 32, -1.0 / 32, 1,
};
// clang-format on

const WinogradMatrices kAlgorithms[] = {
    {2, 4, {4, 4, kInput2}, {4, 3, kFilter2}, {2, 4, kOutput2}},
    {4, 6, {6, 6, kInput4}, {6, 3, kFilter4}, {4, 6, kOutput4}},
    {6, 8, {8, 8, kInput6}, {8, 3, kFilter6}, {6, 8, kOutput6}},
};

}  // namespace

const WinogradMatrices* FindWinograd(int64_t m) {
  for (const WinogradMatrices& algorithm : kAlgorithms) {
    if (algorithm.m == m) return &algorithm;
  }
  return nullptr;
}

}  // namespace assay::graph
