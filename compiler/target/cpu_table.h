// CpuTable: the processors that targets may name, as data.
//
// Names are LLVM's. A row lists only the features that the compiler itself
// tests (Target::HasFeature); the code generator derives the others from the
// name. Features imply others (avx2 implies avx), also as data. L1 (data) and
// L2 sizes are per core, L3 sizes per socket; 0 if there is no such cache.
// Generic rows have sizes that any such processor has.
#ifndef ASSAY_COMPILER_TARGET_CPU_TABLE_H_
#define ASSAY_COMPILER_TARGET_CPU_TABLE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::target {

// kNone: the code is not machine code, and runs on any processor.
enum class Arch : uint8_t { kX86_64, kAArch64, kArm, kNone };

struct CpuRow {
  const char* name;
  Arch arch;
  // Comma-separated; implied features need not be listed.
  const char* features;
  int64_t l1_bytes, l2_bytes, l3_bytes;
};

// A processor with `feature` also has `implied`.
struct FeatureImplication {
  Arch arch;
  const char* feature;
  const char* implied;
};

absl::Span<const CpuRow> CpuTable();
// Ordered so that one pass from front to back finds all features that a feature
// implies, and one from back to front all features that imply it.
absl::Span<const FeatureImplication> FeatureImplications();

// The row for `name`, or nullptr.
const CpuRow* FindCpu(Arch arch, absl::string_view name);

// The row of the least capable supported processor of `arch`, used for names
// that are not in the table.
const CpuRow& BaselineCpu(Arch arch);

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_CPU_TABLE_H_
