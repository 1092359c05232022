#include "compiler/codegen/llvm/dot_product.h"

#include <numeric>
#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace assay::codegen {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;

// Sign bit of each byte: flipping it adds 128 to an int8, giving a uint8.
constexpr uint32_t kHighBits = 0x80808080;
// 64 in each byte; doubled later, because 128 does not fit int8.
constexpr uint32_t k64s = 0x40404040;

int LanesOf(const Value* x) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  return type == nullptr ? 1 : static_cast<int>(type->getNumElements());
}

class DotEmitter {
 public:
  DotEmitter(llvm::IRBuilder<>& builder, const target::Target& target,
             const expr::DotFactors& factors)
      : b_(builder), target_(target), factors_(factors) {}

  Value* Emit(Value* c, Value* x, Value* y) {
    const int lanes = LanesOf(c);
    for (const int width : {16, 8, 4}) {
      if (lanes % width == 0 && HasRegister(width)) {
        return EmitRegisters(width, lanes, c, x, y);
      }
    }
    return EmitGeneric(c, x, y);
  }

 private:
  bool IsX86() const { return target_.arch() == target::Arch::kX86_64; }
  bool HasVnni(int width) const {
    if (!IsX86()) return false;
    const bool wide = target_.HasFeature("avx512vnni");
    if (width == 16) return wide;
    return (wide && target_.HasFeature("avx512vl")) ||
           target_.HasFeature("avxvnni");
  }
  // Returns true if there is an instruction for `width` lanes.
  bool HasRegister(int width) const {
    if (!IsX86()) {
      return target_.arch() == target::Arch::kAArch64 && width == 4 &&
             target_.HasFeature("dotprod") && factors_.width == 8;
    }
    return HasVnni(width) || width == 4 ||
           target_.HasFeature(width == 8 ? "avx2" : "avx512bw");
  }

  Value* EmitRegisters(int width, int lanes, Value* c, Value* x, Value* y) {
    const auto part = [&](Value* v, int first) {
      if (lanes == width) return v;
      std::vector<int> order(width);
      std::iota(order.begin(), order.end(), first);
      return b_.CreateShuffleVector(v, order);
    };
    std::vector<Value*> parts;
    for (int first = 0; first < lanes; first += width) {
      parts.push_back(
          EmitRegister(width, part(c, first), part(x, first), part(y, first)));
    }
    // Concatenate the parts.
    Value* all = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) {
      std::vector<int> order(LanesOf(all) + width);
      std::iota(order.begin(), order.end(), 0);
      std::vector<int> widened(LanesOf(all), -1);
      std::iota(widened.begin(), widened.begin() + width, 0);
      all = b_.CreateShuffleVector(
          all, b_.CreateShuffleVector(parts[i], widened), order);
    }
    return all;
  }

  Value* EmitRegister(int width, Value* c, Value* x, Value* y) {
    if (!IsX86()) return EmitNeon(c, x, y);
    if (HasVnni(width)) return EmitVnni(width, c, x, y);
    if (factors_.width == 16) return b_.CreateAdd(c, Madd(width, x, y));
    Value* even = Madd(width, Half(x, factors_.a_signed, false),
                       Half(y, factors_.b_signed, false));
    Value* odd = Madd(width, Half(x, factors_.a_signed, true),
                      Half(y, factors_.b_signed, true));
    return b_.CreateAdd(c, b_.CreateAdd(even, odd));
  }

  Value* Splat(Value* like, uint32_t value) {
    return llvm::ConstantInt::get(like->getType(), value);
  }
  Value* Zero(Value* like) {
    return llvm::Constant::getNullValue(like->getType());
  }
  Value* FlipSigns(Value* x) { return b_.CreateXor(x, Splat(x, kHighBits)); }
  Value* Twice(Value* x) { return b_.CreateShl(x, 1); }

  // x86: the first factor of vpdpbusd is unsigned, the second one is signed.
  Value* EmitVnni(int width, Value* c, Value* x, Value* y) {
    const auto dot = [&](Value* sum, Value* u, Value* s) {
      static constexpr ID kBytes[] = {llvm::Intrinsic::x86_avx512_vpdpbusd_128,
                                      llvm::Intrinsic::x86_avx512_vpdpbusd_256,
                                      llvm::Intrinsic::x86_avx512_vpdpbusd_512};
      static constexpr ID kWords[] = {llvm::Intrinsic::x86_avx512_vpdpwssd_128,
                                      llvm::Intrinsic::x86_avx512_vpdpwssd_256,
                                      llvm::Intrinsic::x86_avx512_vpdpwssd_512};
      const int size = width == 16 ? 2 : width == 8 ? 1 : 0;
      const ID id = factors_.width == 16 ? kWords[size] : kBytes[size];
      return b_.CreateIntrinsic(id, {}, {sum, u, s});
    };
    if (factors_.width == 16) return dot(c, x, y);
    // x y = (x + 128) y - 128 y
    if (factors_.a_signed) {
      return b_.CreateSub(dot(c, FlipSigns(x), y),
                          dot(Zero(c), Splat(c, kHighBits), y));
    }
    if (factors_.b_signed) return dot(c, x, y);
    // x y = x (y - 128) + 128 x
    return b_.CreateAdd(dot(c, x, FlipSigns(y)),
                        Twice(dot(Zero(c), x, Splat(c, k64s))));
  }

  Value* EmitNeon(Value* c, Value* x, Value* y) {
    llvm::Type* bytes = llvm::FixedVectorType::get(b_.getInt8Ty(), 16);
    const auto dot = [&](ID id, Value* sum, Value* p, Value* q) {
      return b_.CreateIntrinsic(
          id, {c->getType(), bytes},
          {sum, b_.CreateBitCast(p, bytes), b_.CreateBitCast(q, bytes)});
    };
    const ID sdot = llvm::Intrinsic::aarch64_neon_sdot;
    if (factors_.a_signed) return dot(sdot, c, x, y);
    if (!factors_.b_signed) {
      return dot(llvm::Intrinsic::aarch64_neon_udot, c, x, y);
    }
    if (target_.HasFeature("i8mm")) {
      return dot(llvm::Intrinsic::aarch64_neon_usdot, c, x, y);
    }
    // x y = (x - 128) y + 128 y
    return b_.CreateAdd(dot(sdot, c, FlipSigns(x), y),
                        Twice(dot(sdot, Zero(c), Splat(c, k64s), y)));
  }

  // pmaddwd: multiplies pairs of int16 and adds the products.
  Value* Madd(int width, Value* x, Value* y) {
    static constexpr ID kIds[] = {llvm::Intrinsic::x86_sse2_pmadd_wd,
                                  llvm::Intrinsic::x86_avx2_pmadd_wd,
                                  llvm::Intrinsic::x86_avx512_pmaddw_d_512};
    llvm::Type* words = llvm::FixedVectorType::get(b_.getInt16Ty(), 2 * width);
    return b_.CreateIntrinsic(
        kIds[width == 16  ? 2
             : width == 8 ? 1
                          : 0],
        {}, {b_.CreateBitCast(x, words), b_.CreateBitCast(y, words)});
  }

  // The bytes at even or odd positions, extended to int16.
  Value* Half(Value* x, bool is_signed, bool odd) {
    x = b_.CreateBitCast(
        x, llvm::FixedVectorType::get(b_.getInt16Ty(), 2 * LanesOf(x)));
    if (odd) return is_signed ? b_.CreateAShr(x, 8) : b_.CreateLShr(x, 8);
    if (!is_signed) return b_.CreateAnd(x, 0xff);
    return b_.CreateAShr(b_.CreateShl(x, 8), 8);
  }

  Value* EmitGeneric(Value* c, Value* x, Value* y) {
    const int width = factors_.width;
    const auto factor = [&](Value* v, int first_bit, bool is_signed) {
      v = b_.CreateShl(v, 32 - width - first_bit);
      return is_signed ? b_.CreateAShr(v, 32 - width)
                       : b_.CreateLShr(v, 32 - width);
    };
    for (int bit = 0; bit < 32; bit += width) {
      c = b_.CreateAdd(c, b_.CreateMul(factor(x, bit, factors_.a_signed),
                                       factor(y, bit, factors_.b_signed)));
    }
    return c;
  }

  llvm::IRBuilder<>& b_;
  const target::Target& target_;
  const expr::DotFactors& factors_;
};

}  // namespace

Value* EmitDot(llvm::IRBuilder<>& builder, const target::Target& target,
               const expr::DotFactors& factors, Value* c, Value* a, Value* b) {
  return DotEmitter(builder, target, factors).Emit(c, a, b);
}

}  // namespace assay::codegen
