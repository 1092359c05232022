// CpuTable: the processors that targets may name, as data.
//
// Names are LLVM's. A row lists only the features that the compiler itself
// asks about (Target::HasFeature); the code generator knows the rest from the
// name. Features imply others (avx2 has avx), also as data. Cache sizes are
// those of one core for L1 (data) and L2, and what one socket's cores share for
// L3, 0 where there is none; generic rows carry sizes that any such processor
// has.
#ifndef ASSAY_COMPILER_TARGET_CPU_TABLE_H_
#define ASSAY_COMPILER_TARGET_CPU_TABLE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::target {

enum class Arch : uint8_t { kX86_64, kAArch64, kArm };

struct CpuRow {
  const char* name;
  Arch arch;
  // Comma-separated; implied features need not be listed.
  const char* features;
  int64_t l1_bytes, l2_bytes, l3_bytes;
};

// `feature` cannot be there without `implied`.
struct FeatureImplication {
  Arch arch;
  const char* feature;
  const char* implied;
};

absl::Span<const CpuRow> CpuTable();
// In an order such that one pass over it from front to back finds everything a
// feature implies, and one from back to front everything that goes with it.
absl::Span<const FeatureImplication> FeatureImplications();

// The row for `name`, or nullptr.
const CpuRow* FindCpu(Arch arch, absl::string_view name);

// The row of the least processor of `arch` that we compile for, which stands
// in for names that the table lacks.
const CpuRow& BaselineCpu(Arch arch);

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_CPU_TABLE_H_
