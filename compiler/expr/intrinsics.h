// Intrinsics: the pure functions that a Call can name. The lower_intrinsics
// pass (tir/passes/lower_intrinsics.h) expands the elementary functions into
// arithmetic. Code generators implement the other intrinsics.
//
// Intrinsics are applied lane by lane, and all arguments and the result have
// the same type. The exception is reinterpret, a bit cast. Its argument and its
// result must have the same total number of bits, and the first lane of a
// vector holds the lowest bits. For example, four int8 lanes become one int32
// whose lowest byte is the first lane.
//
// round_bfloat16(x) is the float32 that is nearest to the float32 x and has a
// bfloat16 representation, that is, whose lower 16 bits are zero. Ties are
// rounded to even. Subnormal numbers become zeros of the same sign, as in
// AVX-512's conversion and in tile products. NaN stays NaN.
//
// Dot products of narrow integers correspond to single instructions of common
// processors. All arguments and results are int32, or vectors of int32. In each
// lane, c is the accumulator, and a and b consist of packed narrow integers.
// The first narrow integer is in the lowest bits.
//
//   dot4_u8s8(c, a, b)   c + a0 b0 + a1 b1 + a2 b2 + a3 b3, where ai is byte i
//                        of a as uint8, and bi is byte i of b as int8
//   dot4_s8s8(c, a, b)   as dot4_u8s8, but ai and bi are int8
//   dot4_u8u8(c, a, b)   as dot4_u8s8, but ai and bi are uint8
//   dot2_s16(c, a, b)    c + a0 b0 + a1 b1, where a0 and a1 are the two int16
//                        halves of a, and b0 and b1 are those of b
//
// Products and sums are exact, and the result is taken modulo 2^32.
// Intermediate results are not saturated, so x86's vpmaddubsw cannot be used.
// The LLVM code generator emits these instructions:
//
//          AVX-512 VNNI,  AVX-512BW,    NEON dot product  otherwise
//          AVX-VNNI       AVX2, SSE2
//   u8s8   vpdpbusd       2 x vpmaddwd  usdot, or         shifts and
//                                       2 x sdot          multiplications
//   s8s8   2 x vpdpbusd   2 x vpmaddwd  sdot              of int32
//   u8u8   2 x vpdpbusd   2 x vpmaddwd  udot
//   s16    vpdpwssd       vpmaddwd      none
//
// Where the table has 2 x vpdpbusd or 2 x sdot, the signedness of one operand
// is not the one that the instruction expects. Therefore 128 is added to or
// subtracted from each byte of this operand, and a second dot product computes
// the correction term. This term depends only on the other operand, so all dot
// products with that operand can share it.
//
// Tile products multiply small matrices, like the instructions of matrix units
// (Intel AMX). The accumulator c and the result are 16 x 16 matrices of int32,
// or of float32 for tile_dot2_bf16. The factors a and b are vectors of 256
// int32, each of which consists of `depth` packed numbers of one row of a, or
// one column of b. Matrices are stored in row-major order.
//
//   tile_dot4_u8s8(c, a, b)   c[i, j] + the sum over k < 16 of dot4_u8s8 of
//                             a[i, k] and b[k, j]
//   tile_dot4_s8s8, tile_dot4_s8u8, tile_dot4_u8u8   the same for other types
//   tile_dot2_bf16(c, a, b)   the same for pairs of bfloat16. The order of the
//                             additions and the number of roundings are not
//                             defined, and subnormal numbers count as 0.
#ifndef ASSAY_COMPILER_EXPR_INTRINSICS_H_
#define ASSAY_COMPILER_EXPR_INTRINSICS_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "runtime/base/dtype.h"

namespace assay::expr {

// The elementary functions, which lower_intrinsics.h expands: enumerator, name
// and number of arguments. pow is also defined for integers. If the exponent is
// negative, the result is truncated towards zero. An even exponent above 63 is
// replaced by 62, and an odd exponent above 63 is replaced by 63. fmod is the
// exact remainder of a division that truncates; it has the sign of the first
// argument.
#define ASSAY_ELEMENTARY_INTRINSICS(X) \
  X(Exp, exp, 1)                       \
  X(Log, log, 1)                       \
  X(Tanh, tanh, 1)                     \
  X(Erf, erf, 1)                       \
  X(Sigmoid, sigmoid, 1)               \
  X(Sin, sin, 1)                       \
  X(Cos, cos, 1)                       \
  X(Tan, tan, 1)                       \
  X(Asin, asin, 1)                     \
  X(Acos, acos, 1)                     \
  X(Atan, atan, 1)                     \
  X(Sinh, sinh, 1)                     \
  X(Cosh, cosh, 1)                     \
  X(Asinh, asinh, 1)                   \
  X(Acosh, acosh, 1)                   \
  X(Atanh, atanh, 1)                   \
  X(Pow, pow, 2)                       \
  X(Fmod, fmod, 2)

// All intrinsics: enumerator, name and number of arguments.
#define ASSAY_INTRINSICS(X)           \
  ASSAY_ELEMENTARY_INTRINSICS(X)      \
  X(Sqrt, sqrt, 1)                    \
  X(Floor, floor, 1)                  \
  X(Ceil, ceil, 1)                    \
  X(Round, round, 1)                  \
  X(Abs, abs, 1)                      \
  X(Fma, fma, 3)                      \
  X(ShiftLeft, shift_left, 2)         \
  X(ShiftRight, shift_right, 2)       \
  X(BitwiseAnd, bitwise_and, 2)       \
  X(BitwiseOr, bitwise_or, 2)         \
  X(BitwiseXor, bitwise_xor, 2)       \
  X(RoundBFloat16, round_bfloat16, 1) \
  X(Reinterpret, reinterpret, 1)      \
  X(Dot4U8S8, dot4_u8s8, 3)           \
  X(Dot4S8S8, dot4_s8s8, 3)           \
  X(Dot4U8U8, dot4_u8u8, 3)           \
  X(Dot2S16, dot2_s16, 3)             \
  X(TileDot4U8S8, tile_dot4_u8s8, 3)  \
  X(TileDot4S8S8, tile_dot4_s8s8, 3)  \
  X(TileDot4S8U8, tile_dot4_s8u8, 3)  \
  X(TileDot4U8U8, tile_dot4_u8u8, 3)  \
  X(TileDot2BF16, tile_dot2_bf16, 3)

enum class Intrinsic : uint8_t {
#define ASSAY_DECLARE(Name, name, arity) k##Name,
  ASSAY_INTRINSICS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

absl::string_view IntrinsicName(Intrinsic intrinsic);
size_t IntrinsicArity(Intrinsic intrinsic);
// Returns true if `intrinsic` is in ASSAY_ELEMENTARY_INTRINSICS.
bool IsElementary(Intrinsic intrinsic);
// The last enumerator, for loops over all intrinsics.
inline constexpr Intrinsic kLastIntrinsic = Intrinsic::kTileDot2BF16;

// The types of the narrow integers in the packed operands of a dot product.
// `width` is the number of bits of each integer. `a_signed` says whether the
// integers in a are signed, and `b_signed` says whether those in b are signed.
struct DotFactors {
  int width;
  bool a_signed, b_signed;
};
// Returns nullptr if `intrinsic` is not a dot product.
const DotFactors* FindDotFactors(Intrinsic intrinsic);

// Computes one lane of a dot product. c, a and b must be in the range of int32.
// The result is in the same range.
int64_t EvaluateDot(const DotFactors& factors, int64_t c, int64_t a, int64_t b);

// Number of rows and columns of the matrices of a tile product, in int32 or
// float32 values.
inline constexpr int kTileRows = 16;

// The types of the packed numbers of a tile product, and of its accumulators.
struct TileFactors {
  DType a, b, sum;
  // Returns the number of packed numbers in an int32.
  int depth() const { return 32 / a.bits(); }
};
// Returns nullptr if `intrinsic` is not a tile product.
const TileFactors* FindTileFactors(Intrinsic intrinsic);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_INTRINSICS_H_
