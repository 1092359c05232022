// Intrinsics: the pure functions that a Call can name. Code generation
// implements them directly, except for those that tir/passes/lower_intrinsics.h
// expands before.
//
// Intrinsics act lane by lane; all arguments and the result have the same type.
// The exception is reinterpret, a bit cast: its argument has the same total
// number of bits as the Call's type, and the first lane holds the lowest bits
// (four int8 become one int32 whose lowest byte is the first of them).
//
// Dot products of narrow integers correspond to single instructions of common
// processors, with exactly specified arithmetic. All lanes are int32: c is the
// accumulator, a and b are packed vectors of narrow integers, the first in the
// lowest bits.
//
//   dot4_u8s8(c, a, b)   c + a0 b0 + a1 b1 + a2 b2 + a3 b3, where a0 … are the
//                        four bytes of a as uint8, b0 … those of b as int8
//   dot4_s8s8(c, a, b)   the same, both int8
//   dot4_u8u8(c, a, b)   the same, both uint8
//   dot2_s16(c, a, b)    c + a0 b0 + a1 b1 of two int16 each
//
// Products and sums are exact and the result is taken modulo 2^32. Nothing
// saturates, which rules out x86's vpmaddubsw. Instructions used by code
// generation:
//
//          AVX-512 VNNI,   AVX-512BW,    NEON dot product  otherwise
//          AVX-VNNI        AVX2, SSE2
//   u8s8   vpdpbusd        2 x vpmaddwd  usdot, or sdot    shifts and
//   s8s8   vpdpbusd twice  2 x vpmaddwd  sdot              multiplications
//   u8u8   vpdpbusd twice  2 x vpmaddwd  udot              of int32
//   s16    vpdpwssd        vpmaddwd      -
//
// "twice": one operand is shifted into the signedness that the instruction
// expects, and a second dot product computes the correction term. The
// correction depends on the other operand only, so it is common to all products
// with that operand.
#ifndef ASSAY_COMPILER_EXPR_INTRINSICS_H_
#define ASSAY_COMPILER_EXPR_INTRINSICS_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace assay::expr {

// Enumerator, name, number of arguments. These are the intrinsics that
// lower_intrinsics.h expands. pow accepts integers, too: a negative exponent
// truncates the result, and an exponent above 63 is replaced by 62 or 63,
// whichever has the same parity.
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
  X(Pow, pow, 2)

// All intrinsics.
#define ASSAY_INTRINSICS(X)      \
  ASSAY_ELEMENTARY_INTRINSICS(X) \
  X(Sqrt, sqrt, 1)               \
  X(Floor, floor, 1)             \
  X(Ceil, ceil, 1)               \
  X(Round, round, 1)             \
  X(Abs, abs, 1)                 \
  X(Fma, fma, 3)                 \
  X(ShiftLeft, shift_left, 2)    \
  X(ShiftRight, shift_right, 2)  \
  X(BitwiseAnd, bitwise_and, 2)  \
  X(BitwiseOr, bitwise_or, 2)    \
  X(BitwiseXor, bitwise_xor, 2)  \
  X(Reinterpret, reinterpret, 1) \
  X(Dot4U8S8, dot4_u8s8, 3)      \
  X(Dot4S8S8, dot4_s8s8, 3)      \
  X(Dot4U8U8, dot4_u8u8, 3)      \
  X(Dot2S16, dot2_s16, 3)

enum class Intrinsic : uint8_t {
#define ASSAY_DECLARE(Name, name, arity) k##Name,
  ASSAY_INTRINSICS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

absl::string_view IntrinsicName(Intrinsic intrinsic);
size_t IntrinsicArity(Intrinsic intrinsic);
// Returns true if lower_intrinsics.h expands it.
bool IsElementary(Intrinsic intrinsic);
// The last enumerator, for iterating over all intrinsics.
inline constexpr Intrinsic kLastIntrinsic = Intrinsic::kDot2S16;

// Interpretation of the packed operands of a dot product: `width` bits per
// factor.
struct DotFactors {
  int width;
  bool a_signed, b_signed;
};
// Returns nullptr if `intrinsic` is not a dot product.
const DotFactors* FindDotFactors(Intrinsic intrinsic);

// Computes one lane of a dot product; c, a, b and the result are int32.
int64_t EvaluateDot(const DotFactors& factors, int64_t c, int64_t a, int64_t b);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_INTRINSICS_H_
