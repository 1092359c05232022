#include "compiler/graph/encoding/encoding_step.h"

#include "compiler/graph/encoding/winograd.h"
#include "runtime/base/check.h"

namespace assay::graph {
namespace {

ArrayType After(const PadStep& step, const ArrayType& type) {
  CHECK_EQ(step.shape.size(), type.shape.size());
  return {type.dtype, step.shape};
}

ArrayType After(const CastStep& step, const ArrayType& type) {
  return {step.dtype, type.shape};
}

ArrayType After(const ReshapeStep& step, const ArrayType& type) {
  CHECK_EQ(NumElements(step.shape), NumElements(type.shape));
  return {type.dtype, step.shape};
}

ArrayType After(const TransposeStep& step, const ArrayType& type) {
  CHECK_EQ(step.perm.size(), type.shape.size());
  ArrayType result{type.dtype, {}};
  for (const int64_t axis : step.perm) {
    result.shape.push_back(type.shape[static_cast<size_t>(axis)]);
  }
  return result;
}

ArrayType After(const SplitStep&, const ArrayType& type) {
  CHECK_EQ(type.dtype, DType::Float32());
  ArrayType result{DType::BFloat16(), type.shape};
  result.shape.insert(result.shape.begin(), 2);
  return result;
}

ArrayType After(const WinogradStep& step, const ArrayType& type) {
  CHECK_EQ(type.shape.size(), 4u);
  const WinogradMatrices* w = FindWinograd(step.m);
  CHECK(w != nullptr) << step.m;
  return {type.dtype, {w->alpha, w->alpha, type.shape[0], type.shape[1]}};
}

}  // namespace

bool HoldsIntegers(DType stored, DType plain) {
  const auto is_integer = [](DType type) {
    return type.is_scalar() && (type.is_int() || type.is_uint());
  };
  if (!is_integer(stored) || !is_integer(plain)) return false;
  if (stored == plain) return true;
  return stored.is_int() ? stored.bits() > plain.bits()
                         : plain.is_uint() && stored.bits() > plain.bits();
}

ArrayType TypeAfter(const EncodingStep& step, const ArrayType& type) {
  return std::visit([&](const auto& s) { return After(s, type); }, step);
}

}  // namespace assay::graph
