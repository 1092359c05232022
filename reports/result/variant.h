// Variant: how a program was compiled, apart from what all rows of a run have
// in common. Rows of a model that differ only in their variants are measured
// in alternation and compared with each other.
//
// The texts of untuned variants do not mention tuning, because stores and
// baselines that were written before programs were tuned have these texts.
#ifndef ASSAY_REPORTS_RESULT_VARIANT_H_
#define ASSAY_REPORTS_RESULT_VARIANT_H_

#include <string>

#include "reports/result/equal_fields.h"

namespace assay::reports {

struct Variant {
  // True if operators were fused.
  bool fusion = true;
  // True if kernels were compiled as the log of the tuner says
  // (compiler/docs/tuning.md), false if the cost model chose.
  bool tuned = false;

  auto Fields() const { return std::tie(fusion, tuned); }
};

inline bool operator<(const Variant& a, const Variant& b) {
  return a.Fields() < b.Fields();
}

// Returns `on` or `off`.
inline std::string FusionName(const Variant& variant) {
  return variant.fusion ? "on" : "off";
}

// Returns `tuned` or `none`.
inline std::string TuningName(const Variant& variant) {
  return variant.tuned ? "tuned" : "none";
}

// Returns a part of a sentence: `fusion on`, or `fusion on, tuned`.
inline std::string VariantText(const Variant& variant) {
  return "fusion " + FusionName(variant) + (variant.tuned ? ", tuned" : "");
}

// Returns a part of a name: `fusion_on`, or, if the separator is `/`,
// `fusion_on/tuned`.
inline std::string VariantName(const Variant& variant, char separator) {
  std::string name = "fusion_" + FusionName(variant);
  if (variant.tuned) (name += separator) += "tuned";
  return name;
}

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_VARIANT_H_
