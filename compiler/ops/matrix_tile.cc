#include "compiler/ops/matrix_tile.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "runtime/artifact/artifact.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::Intrinsic;

constexpr int64_t kRows = expr::kTileRows;
const DType kUInt32 = DType::UInt(32);

Expr Reinterpret(DType type, const Expr& x) {
  return expr::Call::Make(type, Intrinsic::kReinterpret, {x});
}

// The upper 16 bits of a word.
Expr UpperHalf(const Expr& word) {
  return expr::CastTo(DType::UInt(16),
                      expr::CallOf(Intrinsic::kShiftRight,
                                   {word, expr::ConstInt(kUInt32, 16)}));
}

// The bits of a part of a float32 as bfloat16, as uint16.
Expr BitsOfPart(const Expr& x, const Expr& part) {
  const Expr high = expr::CallOf(Intrinsic::kRoundBFloat16, {x});
  const Expr low = expr::CallOf(Intrinsic::kRoundBFloat16, {x - high});
  return UpperHalf(
      Reinterpret(kUInt32, expr::SelectOf(expr::Eq(part, 0), high, low)));
}

// How neighbours of a column are packed in an int32.
DotTile WordsOf(const MatrixTile& tile) {
  DotTile words;
  words.depth = tile.factors();
  words.b = tile.splits() ? DType::UInt(16) : tile.b;
  return words;
}

// Neighbour `k` of a word, in the type of the accumulators.
Expr Unpacked(const MatrixTile& tile, const Expr& word, const Expr& k) {
  const Expr bits = UnpackFactor(WordsOf(tile), word, k);
  if (!tile.splits()) return bits;
  return Reinterpret(DType::Float32(),
                     expr::CallOf(Intrinsic::kShiftLeft,
                                  {bits, expr::ConstInt(DType::Int32(), 16)}));
}

}  // namespace

const Inexact kSplitNumbers = {
    [](const OpInstance&) -> std::string { return runtime::kSplitAlgorithm; },
    [](const OpInstance&) { return 1e-5; }};

std::optional<MatrixTile> FindMatrixTile(const target::Target& target, DType a,
                                         DType b) {
  MatrixTile tile;
  if (a == DType::Float32() && b == a && target.HasFeature("amx-bf16")) {
    tile.depth = 2 * kRows;
    tile.a = tile.b = DType::BFloat16();
    tile.sum = DType::Float32();
    return tile;
  }
  const auto is_byte = [](DType type) {
    return type == DType::Int(8) || type == DType::UInt(8);
  };
  if (!is_byte(a) || !is_byte(b) || !target.HasFeature("amx-int8")) {
    return std::nullopt;
  }
  tile.depth = 4 * kRows;
  tile.a = a;
  tile.b = b;
  tile.sum = DType::Int32();
  tile.intrinsic =
      a.is_int()
          ? (b.is_int() ? Intrinsic::kTileDot4S8S8 : Intrinsic::kTileDot4S8U8)
          : (b.is_int() ? Intrinsic::kTileDot4U8S8 : Intrinsic::kTileDot4U8U8);
  return tile;
}

Expr PartOfA(const MatrixTile& tile, const Expr& term) {
  return tile.splits() ? expr::SelectOf(expr::Eq(term, 0), Expr(1), Expr(0))
                       : Expr(0);
}

Expr PartOfB(const MatrixTile& tile, const Expr& term) {
  return tile.splits() ? term / 2 : Expr(0);
}

Expr SplitPart(const Expr& x, const Expr& part) {
  return Reinterpret(DType::BFloat16(), BitsOfPart(x, part));
}

Expr ElementOfA(const MatrixTile& tile, const Expr& x, const Expr& part) {
  return tile.splits() ? SplitPart(x, part) : x;
}

Expr PackedElementsOfB(const MatrixTile& tile,
                       const std::vector<Expr>& neighbours, const Expr& part) {
  if (!tile.splits()) return PackFactors(WordsOf(tile), neighbours);
  std::vector<Expr> bits;
  for (const Expr& x : neighbours) bits.push_back(BitsOfPart(x, part));
  return PackFactors(WordsOf(tile), bits);
}

Expr TileFactorProduct(const MatrixTile& tile, const Expr& a, const Expr& b,
                       bool packed, const Expr& k) {
  return expr::WideProduct(tile.sum, a, packed ? Unpacked(tile, b, k) : b);
}

std::shared_ptr<const te::TensorIntrin> MatrixTileIntrin(const MatrixTile& tile,
                                                         bool packed) {
  const int64_t factors = tile.factors();
  const te::Tensor a = te::Placeholder({kRows, kRows, factors}, tile.a, "a");
  const te::Tensor b =
      packed ? te::Placeholder({kRows, kRows}, DType::Int32(), "b")
             : te::Placeholder({kRows, kRows, factors}, tile.b, "b");
  const te::ReduceAxis k = te::MakeReduceAxis(kRows, "k");
  const te::ReduceAxis f = te::MakeReduceAxis(factors, "f");
  auto intrin = std::make_shared<te::TensorIntrin>();
  intrin->name = absl::StrCat(expr::IntrinsicName(tile.intrinsic),
                              packed ? "" : "_neighbours");
  intrin->compute =
      te::Compute({kRows, kRows}, "c", [&](const std::vector<Expr>& i) {
        const Expr y = packed ? b(k.var, i[1]) : b(k.var, i[1], f.var);
        return te::Sum(
            TileFactorProduct(tile, a(i[0], k.var, f.var), y, packed, f.var),
            {k, f});
      });
  intrin->strides = {
      {0, factors, 1}, {kRows * factors, factors, 1}, {kRows, 1}};
  if (packed) intrin->strides[1] = {kRows, 1};
  const int lanes = static_cast<int>(kRows * kRows);
  const auto words = [=](const te::IntrinOperand& x, DType type) {
    const bool is_word = type == DType::Int32();
    const Expr index =
        x.RowsAt(AsInt(kRows), AsInt(is_word ? kRows : tile.depth));
    const Expr load = expr::Load::Make(x.buffer, {index});
    return is_word ? load : Reinterpret(DType::Int32().WithLanes(lanes), load);
  };
  const auto result = [=](const te::IntrinOperand& c, Expr value) {
    return std::vector<te::IntrinStore>{
        {expr::Ramp::Make(c.At({0, 0}), 1, lanes), std::move(value)}};
  };
  intrin->init = [=](const te::IntrinOperand& c,
                     const std::vector<te::IntrinOperand>&) {
    return result(c, expr::Const(tile.sum.WithLanes(lanes), 0));
  };
  intrin->update = [=](const te::IntrinOperand& c,
                       const std::vector<te::IntrinOperand>& in) {
    return result(
        c, expr::CallOf(tile.intrinsic,
                        {c.LoadAt({0, 0}, lanes), words(in[0], tile.a),
                         words(in[1], packed ? DType::Int32() : tile.b)}));
  };
  return intrin;
}

std::shared_ptr<const te::TensorIntrin> CopyTileIntrin(const MatrixTile& tile) {
  const te::Tensor a = te::Placeholder({kRows, kRows}, tile.sum, "a");
  auto intrin = std::make_shared<te::TensorIntrin>();
  intrin->name = absl::StrCat("copy_tile_", tile.sum.ToString());
  intrin->compute =
      te::Compute({kRows, kRows}, "c",
                  [&](const std::vector<Expr>& i) { return a(i[0], i[1]); });
  intrin->strides = {{kRows, 1}, {0, 1}};
  const int lanes = static_cast<int>(kRows * kRows);
  intrin->body = [=](const te::IntrinOperand& c,
                     const std::vector<te::IntrinOperand>& in) {
    return std::vector<te::IntrinStore>{
        {c.RowsAt(AsInt(kRows), AsInt(kRows)), in[0].LoadAt({0, 0}, lanes)}};
  };
  return intrin;
}

}  // namespace assay::ops
