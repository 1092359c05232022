// Target: the kind of code generator and the machine that kernels are compiled
// for.
//
//   llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53 -mattr=+neon -num-cores=4
//
// The text form begins with the kind (target_kind.h). Options are the triple
// (required for a kind that generates machine code, not allowed otherwise), the
// processor (default: the baseline of the architecture), features to add or
// remove (`-f` wins over `+f`) and, as a hint for schedules, the number of
// cores (0: unknown). ToString() prints the options in this order with sorted
// features; Parse() accepts them in any order. `-mcpu=native` does not name a
// target; codegen::ResolveTarget() replaces it by the processor of this
// machine.
//
// A Target is pure data. The facts that schedules use, such as the vector
// width, are derived from the processor table (cpu_table.h) and the features. A
// processor that is not in the table counts as the baseline of its architecture
// plus its features; the code generator rejects processors that do not exist.
#ifndef ASSAY_COMPILER_TARGET_TARGET_H_
#define ASSAY_COMPILER_TARGET_TARGET_H_

#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/target/cpu_table.h"
#include "compiler/target/target_kind.h"

namespace assay::target {

// The text form before it is checked.
struct TargetSpec {
  TargetKind kind = TargetKind::kLlvm;
  std::string triple;
  std::string cpu;
  std::vector<std::string> features;  // each `+f` or `-f`
  int num_cores = 0;
};

class Target {
 public:
  // Errors quote the invalid option.
  static absl::StatusOr<Target> Parse(absl::string_view text);
  static absl::StatusOr<Target> Make(const TargetSpec& spec);

  std::string ToString() const;

  // The same target with `num_cores` cores, at least one.
  Target WithCores(int num_cores) const;

  TargetKind kind() const { return kind_; }
  // Empty if the kind generates no machine code.
  const std::string& triple() const { return triple_; }
  // Never empty.
  const std::string& cpu() const { return cpu_; }
  // Sorted, without duplicates.
  const std::vector<std::string>& features() const { return features_; }
  int num_cores() const { return num_cores_; }

  Arch arch() const { return arch_; }
  int pointer_bits() const { return arch_ == Arch::kArm ? 32 : 64; }

  // Returns true if the processor has `feature`, which is one of cpu_table.h or
  // named by -mattr.
  bool HasFeature(absl::string_view feature) const;

  // Width of the vectors for floating-point arithmetic, and the number of
  // vector registers.
  int vector_bits() const;
  int vector_registers() const;
  // Returns true if there is a fused multiply-add of vectors.
  bool fma() const;

  // Cache sizes in bytes; 0 if there is no such cache.
  int64_t l1_bytes() const { return l1_bytes_; }
  int64_t l2_bytes() const { return l2_bytes_; }
  int64_t l3_bytes() const { return l3_bytes_; }

  friend bool operator==(const Target& a, const Target& b) {
    return a.ToString() == b.ToString();
  }
  friend std::ostream& operator<<(std::ostream& os, const Target& t) {
    return os << t.ToString();
  }

 private:
  Target() = default;
  void DeriveFacts();

  TargetKind kind_ = TargetKind::kLlvm;
  std::string triple_, cpu_;
  std::vector<std::string> features_;
  int num_cores_ = 0;

  Arch arch_ = Arch::kX86_64;
  std::set<std::string> present_;
  int64_t l1_bytes_ = 0, l2_bytes_ = 0, l3_bytes_ = 0;
};

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_TARGET_H_
