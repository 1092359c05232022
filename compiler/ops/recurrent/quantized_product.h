// QuantizedProduct: the product of a recurrence whose weights are bytes.
//
// In each step, the states of all sequences of a direction are quantized to
// uint8 with one scale and zero point, as DynamicQuantizeLinear of ONNX
// defines. Byte q stands for (q - zero) * scale. A row of weights w stands for
// w * weight_scale + weight_shift. Therefore the sum of the products is
//
//   ((sum(q * w) - zero * sum(w)) * weight_scale
//    + sum(q - zero) * weight_shift) * scale
//
// where sum(q * w) is computed by dot products of four bytes.
#ifndef ASSAY_COMPILER_OPS_RECURRENT_QUANTIZED_PRODUCT_H_
#define ASSAY_COMPILER_OPS_RECURRENT_QUANTIZED_PRODUCT_H_

#include <functional>
#include <vector>

#include "compiler/ops/recurrent/state_product.h"
#include "compiler/target/target.h"
#include "compiler/te/extern.h"

namespace assay::ops {

class QuantizedProduct {
 public:
  using StateAt =
      std::function<expr::Expr(const expr::Expr& row, const expr::Expr& unit)>;

  // `weights`, `scale` and `shift` are operands of the extern `e`, which with
  // the other arguments must outlive this object.
  QuantizedProduct(te::Extern& e, const RecurrentSizes& sizes,
                   const target::Target& target, const te::Array& weights,
                   const te::Array& scale, const te::Array& shift);

  // Allocates the memory, which is live until the end of the current block.
  void Allocate();
  // Emits the loops that compute sum(w). Must be called once per direction,
  // before the first step.
  void SumWeights(const expr::Expr& direction);
  // Emits the loops that quantize `state`, which is float32.
  void Quantize(const expr::Expr& direction, const StateAt& state);

  // Returns `sum` plus the products of four bytes.
  static expr::Expr Add(const expr::Expr& sum, const expr::Expr& word,
                        const expr::Expr& weights);
  // Returns the four bytes of the state of units 4 * word, 4 * word + 1, …
  expr::Expr Word(const expr::Expr& direction, const expr::Expr& row,
                  const expr::Expr& word) const;
  // Returns the product of the state of sequence `row` with the weights of the
  // unit at [direction, panel, gate, unit]. `sum` is sum(q * w).
  expr::Expr ToFloat(const expr::Expr& sum, const expr::Expr& row,
                     const std::vector<expr::Expr>& at) const;

 private:
  te::Extern& e_;
  const RecurrentSizes& sizes_;
  const target::Target& target_;
  const te::Array weights_, scale_, shift_;
  te::Array bytes_, words_, totals_, state_zero_, state_scale_, weight_sums_;
};

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_RECURRENT_QUANTIZED_PRODUCT_H_
