// Target: the code generator, and the machine for which kernels are compiled.
//
//   llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53 -mattr=+neon -num-cores=4
//
// The text form begins with the kind of code generator (target_kind.h). It is
// followed by these options, in any order:
//   -mtriple    The triple. It is required if the kind generates machine code,
//               and not allowed otherwise.
//   -mcpu       The processor. The default is the baseline of the architecture.
//   -mattr      Features to add (`+f`) or to remove (`-f`). Removing a feature
//               takes precedence over adding it, and also removes all features
//               that imply it.
//   -num-cores  The number of cores, a hint for schedules. It must be positive.
//               Without this option, num_cores() is 0 (unknown).
// ToString() prints the options in this order, with sorted features.
//
// Parse() rejects `-mcpu=native`. codegen::ResolveTarget() accepts it, and
// replaces it by the processor of this machine.
//
// A Target is pure data. The facts that schedules use, such as the vector
// width, are derived from the processor table (cpu_table.h) and the features. A
// processor that is not in the table is treated as the baseline of its
// architecture with the features of -mattr. The code generator, not this class,
// rejects processors that do not exist.
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

// The options of a target, parsed but not checked.
struct TargetSpec {
  TargetKind kind = TargetKind::kLlvm;
  std::string triple;
  std::string cpu;
  std::vector<std::string> features;  // each one is `+f` or `-f`
  int num_cores = 0;
};

class Target {
 public:
  // Parse and Make return InvalidArgument, with a description of the invalid or
  // missing option, if they cannot create a valid target.
  static absl::StatusOr<Target> Parse(absl::string_view text);
  static absl::StatusOr<Target> Make(const TargetSpec& spec);

  std::string ToString() const;

  // Returns a copy of this target with `num_cores` cores. `num_cores` must be
  // positive.
  Target WithCores(int num_cores) const;

  TargetKind kind() const { return kind_; }
  // The triple is empty if the kind generates no machine code.
  const std::string& triple() const { return triple_; }
  // The processor is never empty.
  const std::string& cpu() const { return cpu_; }
  // Returns the features of -mattr, each `+f` or `-f`, sorted and without
  // duplicates.
  const std::vector<std::string>& features() const { return features_; }
  int num_cores() const { return num_cores_; }

  Arch arch() const { return arch_; }
  int pointer_bits() const { return arch_ == Arch::kArm ? 32 : 64; }

  // Returns true if the processor has `feature`, according to cpu_table.h and
  // -mattr. Returns false for a feature that occurs in neither of them.
  bool HasFeature(absl::string_view feature) const;

  // Returns the width in bits of the vectors for floating-point arithmetic.
  int vector_bits() const;
  // Returns the number of vector registers.
  int vector_registers() const;
  // Returns true if the processor has a fused multiply-add for vectors.
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
