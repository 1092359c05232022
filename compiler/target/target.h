// Target: the machine that kernels are compiled for.
//
//   llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53 -mattr=+neon -num-cores=4
//
// The text form names a code generator (`llvm`), the triple (required), the
// processor (the architecture's baseline if absent), features to add or take
// away (a `-f` wins over a `+f`, whatever the order) and, as a hint for
// schedules, how many cores there are (0: unknown). ToString gives the
// options in this order, sorted features, nothing that is absent; Parse reads
// it back and takes the options in any order. `-mcpu=native` is not a target
// but a question to this machine: codegen/llvm/host_target.h answers it.
//
// A Target is pure data. What schedules ask about (vector width and the like)
// is derived from the processor table (cpu_table.h) and the features. A
// processor that the table lacks counts as its architecture's baseline plus
// its features; whether it exists at all, the code generator says.
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

namespace assay::target {

// What the text form says, before it is checked.
struct TargetSpec {
  std::string triple;
  std::string cpu;
  std::vector<std::string> features;  // each `+f` or `-f`
  int num_cores = 0;
};

class Target {
 public:
  // The error quotes the option at fault.
  static absl::StatusOr<Target> Parse(absl::string_view text);
  static absl::StatusOr<Target> Make(const TargetSpec& spec);

  std::string ToString() const;

  // The same with that many cores, at least one.
  Target WithCores(int num_cores) const;

  const std::string& triple() const { return triple_; }
  // Never empty.
  const std::string& cpu() const { return cpu_; }
  // Sorted, without repetition.
  const std::vector<std::string>& features() const { return features_; }
  int num_cores() const { return num_cores_; }

  Arch arch() const { return arch_; }
  int pointer_bits() const { return arch_ == Arch::kArm ? 32 : 64; }

  // Whether the processor has one of the features that cpu_table.h knows of
  // or that -mattr names.
  bool HasFeature(absl::string_view feature) const;

  // Width of the vectors that arithmetic on floats is done in, and how many
  // of them fit in registers.
  int vector_bits() const;
  int vector_registers() const;
  // Fused multiply-add on vectors.
  bool fma() const;

  // Bytes; 0 where there is no such cache.
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

  std::string triple_, cpu_;
  std::vector<std::string> features_;
  int num_cores_ = 0;

  Arch arch_ = Arch::kX86_64;
  std::set<std::string> present_;
  int64_t l1_bytes_ = 0, l2_bytes_ = 0, l3_bytes_ = 0;
};

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_TARGET_H_
