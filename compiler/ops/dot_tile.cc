#include "compiler/ops/dot_tile.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::Intrinsic;

const DType kInt32 = DType::Int32();

bool MultipliesBytes(const target::Target& target) {
  return target.HasFeature("avx512vnni") || target.HasFeature("avxvnni") ||
         (target.arch() == target::Arch::kAArch64 &&
          target.HasFeature("dotprod"));
}

int FactorBits(const DotTile& tile) {
  return static_cast<int>(32 / tile.depth);
}

}  // namespace

DotTile ChooseDotTile(const target::Target& target, DType a, DType b) {
  DotTile tile;
  tile.a = tile.b = DType::Int(16);
  if (a.bits() == 8 && b.bits() == 8 && MultipliesBytes(target)) {
    tile.depth = 4;
    tile.a = a;
    tile.b = b;
    tile.swapped = a.is_int() && b.is_uint();
    tile.intrinsic = a.is_int() && b.is_int()     ? Intrinsic::kDot4S8S8
                     : a.is_uint() && b.is_uint() ? Intrinsic::kDot4U8U8
                                                  : Intrinsic::kDot4U8S8;
  } else if (target.arch() == target::Arch::kX86_64) {
    tile.depth = 2;
  }
  return tile;
}

bool MultipliesUnsignedOnly(const target::Target& target) {
  return target.arch() == target::Arch::kX86_64 && MultipliesBytes(target);
}

Expr PackFactors(const DotTile& tile, const std::vector<Expr>& factors) {
  const int bits = FactorBits(tile);
  Expr word;
  for (size_t k = 0; k < factors.size(); ++k) {
    Expr factor = expr::Cast::Make(kInt32, factors[k]);
    // The shift drops the sign extension of the last factor.
    if (k + 1 < factors.size() && tile.b.is_int()) {
      factor = expr::CallOf(Intrinsic::kBitwiseAnd,
                            {factor, expr::ConstInt(kInt32, (1 << bits) - 1)});
    }
    if (k > 0) {
      factor = expr::CallOf(
          Intrinsic::kShiftLeft,
          {factor, expr::ConstInt(kInt32, static_cast<int64_t>(k) * bits)});
    }
    word = word.defined() ? word + factor : factor;
  }
  return word;
}

Expr UnpackFactor(const DotTile& tile, const Expr& packed, const Expr& k) {
  const int bits = FactorBits(tile);
  if (tile.b.is_int()) {
    const Expr top =
        expr::CallOf(Intrinsic::kShiftLeft, {packed, k * -bits + (32 - bits)});
    return expr::CallOf(Intrinsic::kShiftRight,
                        {top, expr::ConstInt(kInt32, 32 - bits)});
  }
  return expr::CallOf(Intrinsic::kBitwiseAnd,
                      {expr::CallOf(Intrinsic::kShiftRight, {packed, k * bits}),
                       expr::ConstInt(kInt32, (1 << bits) - 1)});
}

std::shared_ptr<const te::TensorIntrin> DotIntrin(const DotTile& tile,
                                                  int64_t lanes,
                                                  DotFactorsOf form) {
  const bool packed = form == DotFactorsOf::kPacked;
  const te::Tensor a = te::Placeholder({tile.depth}, tile.a, "a");
  const te::Tensor b = packed
                           ? te::Placeholder({lanes}, kInt32, "b")
                           : te::Placeholder({lanes, tile.depth}, tile.b, "b");
  const te::ReduceAxis k = te::MakeReduceAxis(tile.depth, "k");
  auto intrin = std::make_shared<te::TensorIntrin>();
  const absl::string_view name = expr::IntrinsicName(tile.intrinsic);
  intrin->name = absl::StrCat(name, tile.swapped ? "_swapped" : "", "x", lanes,
                              packed ? "" : "_neighbours");
  intrin->compute = te::Compute({lanes}, "c", [&](const std::vector<Expr>& i) {
    const Expr y = packed ? UnpackFactor(tile, b(i[0]), k.var) : b(i[0], k.var);
    return te::Sum(expr::WideProduct(kInt32, a(k.var), y), {k});
  });
  if (packed) {
    intrin->strides = {{1}, {1}, {1}};
  } else {
    intrin->strides = {{1}, {tile.depth, 1}, {1}};
  }
  const int n = static_cast<int>(lanes);
  const DType vector = kInt32.WithLanes(n);
  const auto result = [n](const te::IntrinOperand& c, Expr value) {
    return std::vector<te::IntrinStore>{
        {expr::Ramp::Make(c.At({0}), 1, n), std::move(value)}};
  };
  const auto dot = [=](Expr sum, const std::vector<te::IntrinOperand>& in) {
    const int depth = static_cast<int>(tile.depth);
    Expr x =
        expr::Broadcast::Make(expr::Call::Make(kInt32, Intrinsic::kReinterpret,
                                               {in[0].LoadAt({0}, depth)}),
                              n);
    Expr y = packed ? in[1].LoadAt({0}, n)
                    : expr::Call::Make(vector, Intrinsic::kReinterpret,
                                       {in[1].LoadAt({0, 0}, n * depth)});
    if (tile.swapped) std::swap(x, y);
    return expr::CallOf(tile.intrinsic, {std::move(sum), x, y});
  };
  intrin->init = [=](const te::IntrinOperand& c,
                     const std::vector<te::IntrinOperand>&) {
    return result(c, expr::Const(vector, 0));
  };
  intrin->update = [=](const te::IntrinOperand& c,
                       const std::vector<te::IntrinOperand>& in) {
    return result(c, dot(c.LoadAt({0}, n), in));
  };
  return intrin;
}

}  // namespace assay::ops
