// CpuTable: the properties of known processors, as data.
//
// Processors and features have the names that LLVM uses. A row lists only
// features that the compiler may test with Target::HasFeature. The code
// generator derives all other features from the name of the processor. A second
// table lists which features imply others (avx2 implies avx).
//
// Cache sizes are in bytes: L1 data cache and L2 cache per core, L3 cache per
// socket. A size of 0 means that there is no such cache. The rows of generic
// names (`x86-64`, `generic`) have conservative sizes.
#ifndef ASSAY_COMPILER_TARGET_CPU_TABLE_H_
#define ASSAY_COMPILER_TARGET_CPU_TABLE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::target {

// kNone is the architecture of targets whose code is not machine code, such as
// bytecode. Such code runs on any processor.
enum class Arch : uint8_t { kX86_64, kAArch64, kArm, kNone };

struct CpuRow {
  const char* name;
  Arch arch;
  // Features, separated by commas. Implied features need not be listed.
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
// Returns all implications, ordered for transitive closure: one pass from front
// to back finds all features that a feature implies; one pass from back to
// front finds all features that imply it.
absl::Span<const FeatureImplication> FeatureImplications();

// Returns the row of the processor `name`, or nullptr if the table has none.
const CpuRow* FindCpu(Arch arch, absl::string_view name);

// Returns the row of the least capable supported processor of `arch`. It is
// used for processors that are not in the table. For kNone, returns a row
// `generic` that CpuTable() does not contain.
const CpuRow& BaselineCpu(Arch arch);

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_CPU_TABLE_H_
