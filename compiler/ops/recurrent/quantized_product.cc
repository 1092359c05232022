#include "compiler/ops/recurrent/quantized_product.h"

#include <algorithm>
#include <limits>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"

namespace assay::ops {
namespace {

using expr::Expr;
using StateAt = std::function<Expr(const Expr&, const Expr&)>;

constexpr int kBytes = 4;  // of a word

Expr Float(double value) { return expr::Const(DType::Float32(), value); }

Expr ToByte(const Expr& x) {
  return expr::Min(expr::Max(x, Float(0)), Float(255));
}

Expr Round(const Expr& x) { return expr::CallOf(expr::Intrinsic::kRound, {x}); }

// The range of the states and 0.
struct Range {
  Expr low, high;
};

struct StateRows {
  int64_t batch, hidden, lanes;
};

Range EmitRange(te::Extern& e, const StateRows& rows, const StateAt& state) {
  const int lanes = AsInt(rows.lanes);
  const int64_t blocks = rows.hidden / rows.lanes;
  // Element i of these is the range of the elements that lane i has read.
  const te::Array low = e.Local(DType::Float32(), {rows.lanes}, "low");
  const te::Array high = e.Local(DType::Float32(), {rows.lanes}, "high");
  const auto include = [&](const Expr& lane, const Expr& from, const Expr& to) {
    low.Set({lane}, expr::Min(low(lane), from));
    high.Set({lane}, expr::Max(high(lane), to));
  };
  e.Vectorized("lane", lanes, [&](const Expr& lane) {
    low.Set({lane}, Float(0));
    high.Set({lane}, Float(0));
  });
  e.For("row", 0, AsInt(rows.batch), [&](const Expr& row) {
    e.For("block", 0, AsInt(blocks), [&](const Expr& block) {
      e.Vectorized("lane", lanes, [&](const Expr& lane) {
        const Expr value = state(row, block * lanes + lane);
        include(lane, value, value);
      });
    });
    e.For("unit", AsInt(blocks * rows.lanes),
          AsInt(rows.hidden - blocks * rows.lanes), [&](const Expr& unit) {
            include(0, state(row, unit), state(row, unit));
          });
  });
  e.For("lane", 1, lanes - 1,
        [&](const Expr& lane) { include(0, low(lane), high(lane)); });
  return {low(0), high(0)};
}

}  // namespace

QuantizedProduct::QuantizedProduct(te::Extern& e, const RecurrentSizes& sizes,
                                   const target::Target& target,
                                   const te::Array& weights,
                                   const te::Array& scale,
                                   const te::Array& shift)
    : e_(e),
      sizes_(sizes),
      target_(target),
      weights_(weights),
      scale_(scale),
      shift_(shift) {}

void QuantizedProduct::Allocate() {
  const int64_t directions = sizes_.directions;
  words_ = e_.Scratch(DType::Int32(),
                      {directions, sizes_.batch, weights_.shape()[3]}, "words");
  bytes_ = e_.Scratch(DType::Int32(), {directions, sizes_.hidden}, "bytes");
  totals_ = e_.Scratch(DType::Int32(), {directions, sizes_.batch}, "totals");
  state_zero_ = e_.Scratch(DType::Int32(), {directions}, "state_zero");
  state_scale_ = e_.Scratch(DType::Float32(), {directions}, "state_scale");
  weight_sums_ = e_.Scratch(
      DType::Int32(), {directions, sizes_.panels, sizes_.gates, sizes_.units},
      "weight_sums");
}

void QuantizedProduct::SumWeights(const Expr& direction) {
  ProductTile tile = {1, sizes_.gates};
  tile.depth = weights_.shape()[3];
  ChooseLanes(tile, sizes_.units, DType::Int32(), target_);
  const int lanes = AsInt(tile.lanes);
  // The last word may have fewer units. What it holds beyond is not read.
  constexpr int kOnes = 0x01010101;
  const int whole = AsInt(sizes_.hidden / kBytes);
  const int rest = AsInt(sizes_.hidden % kBytes);
  const auto ones = [&](const Expr& k) {
    if (rest == 0) return Expr(kOnes);
    return expr::SelectOf(k < whole, kOnes, kOnes >> (8 * (kBytes - rest)));
  };
  e_.For("panel", 0, AsInt(sizes_.panels), [&](const Expr& panel) {
    e_.For("block", 0, AsInt(sizes_.units / tile.lanes),
           [&](const Expr& block) {
             const te::Array sums = EmitStateProduct(
                 e_, tile, DType::Int32(),
                 [&](const Expr& sum, int64_t, int64_t gate, const Expr& k,
                     const Expr& lane) {
                   return Add(sum, ones(k),
                              weights_(direction, panel, AsInt(gate), k,
                                       block * lanes + lane));
                 });
             for (int64_t gate = 0; gate < sizes_.gates; ++gate) {
               e_.Vectorized("lane", lanes, [&](const Expr& lane) {
                 weight_sums_.Set(
                     {direction, panel, AsInt(gate), block * lanes + lane},
                     sums(0, 0, AsInt(gate), lane));
               });
             }
           });
  });
}

void QuantizedProduct::Quantize(const Expr& direction, const StateAt& state) {
  const Range range = EmitRange(
      e_, {sizes_.batch, sizes_.hidden, LanesOf(DType::Float32(), target_)},
      state);
  const te::Array scale = e_.Local(DType::Float32(), {1}, "scale");
  const te::Array zero = e_.Local(DType::Float32(), {1}, "zero");
  const te::Array total = e_.Local(DType::Int32(), {1}, "total");
  scale.Set({0}, expr::Max((range.high - range.low) / Float(255),
                           Float(std::numeric_limits<float>::min())));
  zero.Set({0}, Round(ToByte(range.low / scale(0) * Float(-1))));
  const Expr whole_zero = expr::Cast::Make(DType::Int32(), zero(0));
  state_scale_.Set({direction}, scale(0));
  state_zero_.Set({direction}, whole_zero);
  const auto quantize = [&](const Expr& row, const Expr& unit) {
    const Expr byte = ToByte(Round(state(row, unit) / scale(0)) + zero(0));
    bytes_.Set({direction, unit}, expr::Cast::Make(DType::Int32(), byte));
  };
  // Word `word` of a row, whose first `count` bytes are units.
  const auto pack = [&](const Expr& row, const Expr& word, int count) {
    Expr packed, sum;
    for (int j = 0; j < count; ++j) {
      const Expr byte = bytes_(direction, word * kBytes + j);
      const Expr part =
          j == 0 ? byte
                 : expr::CallOf(expr::Intrinsic::kShiftLeft, {byte, 8 * j});
      packed = j == 0 ? part : packed + part;
      sum = j == 0 ? byte : sum + byte;
    }
    words_.Set({direction, row, word}, packed);
    total.Set({0}, total(0) + (sum - whole_zero * count));
  };
  const int64_t lanes = LanesOf(DType::Float32(), target_);
  const int64_t blocks = sizes_.hidden / lanes;
  const int words = AsInt(sizes_.hidden / kBytes);
  const int rest = AsInt(sizes_.hidden % kBytes);
  e_.For("row", 0, AsInt(sizes_.batch), [&](const Expr& row) {
    e_.For("block", 0, AsInt(blocks), [&](const Expr& block) {
      e_.Vectorized("lane", AsInt(lanes), [&](const Expr& lane) {
        quantize(row, block * AsInt(lanes) + lane);
      });
    });
    e_.For("unit", AsInt(blocks * lanes), AsInt(sizes_.hidden - blocks * lanes),
           [&](const Expr& unit) { quantize(row, unit); });
    total.Set({0}, 0);
    e_.For("word", 0, words,
           [&](const Expr& word) { pack(row, word, kBytes); });
    if (rest > 0) pack(row, words, rest);
    totals_.Set({direction, row}, total(0));
  });
}

Expr QuantizedProduct::Add(const Expr& sum, const Expr& word,
                           const Expr& weights) {
  return expr::CallOf(expr::Intrinsic::kDot4U8S8, {sum, word, weights});
}

Expr QuantizedProduct::Word(const Expr& direction, const Expr& row,
                            const Expr& word) const {
  return words_(direction, row, word);
}

Expr QuantizedProduct::ToFloat(const Expr& sum, const Expr& row,
                               const std::vector<Expr>& at) const {
  const auto to_float = [](const Expr& x) {
    return expr::Cast::Make(DType::Float32(), x);
  };
  const Expr& direction = at[0];
  const Expr exact = sum - state_zero_(direction) * weight_sums_(at);
  return (to_float(exact) * scale_(at) +
          to_float(totals_(direction, row)) * shift_(at)) *
         state_scale_(direction);
}

}  // namespace assay::ops
