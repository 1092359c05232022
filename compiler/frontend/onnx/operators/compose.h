// Compose: expresses an ONNX operator by several graph operators
// (compiler/graph/builder/compose.h). Example, a normalization along axis 1:
//
//   Compose c(op);
//   const Value mean = c.Mean(x, {1});
//   const Value d = c.Subtract(x, mean);
//   return c.Finish({c.Divide(d, c.Sqrt(c.Mean(c.Multiply(d, d), {1})))});
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_COMPOSE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_COMPOSE_H_

#include <vector>

#include "absl/status/status.h"
#include "compiler/frontend/onnx/operators/op_import.h"
#include "compiler/graph/builder/compose.h"

namespace assay::frontend {

using graph::AxesBetween;
using graph::SumType;

class Compose : public graph::Compose {
 public:
  explicit Compose(OpImport& op)
      : graph::Compose(op, op.HasInput(0) ? op.Input(0) : graph::Value()),
        op_(op) {}

  // Sets the results of the ONNX node if all steps have succeeded; otherwise
  // returns the first error.
  absl::Status Finish(const std::vector<graph::Value>& results) {
    if (status().ok()) op_.SetResults(results);
    return status();
  }

 private:
  OpImport& op_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_COMPOSE_H_
