// Subject: a program with which comparisons are tested (canary.h,
// suites/trials). It is compared with a twin, which differs without being
// slower, or with a twin that does more work, so the right verdict is known.
#ifndef ASSAY_SUITES_COMPARISON_SUBJECT_H_
#define ASSAY_SUITES_COMPARISON_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/checked_session.h"

namespace assay::suites {

// The target of programs for this machine.
constexpr char kHostTarget[] = "llvm -mcpu=native";

struct Subject {
  std::string name;
  int threads = 1;  // for which it is compiled
  // The compilation target (devices/device.proto).
  std::string target = kHostTarget;
  std::shared_ptr<const graph::Graph> graph;
  runtime::Artifact artifact;
  // Two inputs, with the outputs of the program on this machine. They show
  // whether a twin computes the same function, not whether the compiler is
  // right.
  std::vector<Example> examples;
};

// Compiles `graph` for `target` and `threads` threads, and runs it, compiled
// for this machine, on two seeded inputs.
absl::StatusOr<Subject> MakeSubject(absl::string_view name,
                                    std::shared_ptr<const graph::Graph> graph,
                                    int threads,
                                    const std::string& target = kHostTarget);

// Compiles the subject again, with another layout of the code
// (CompileOptions::layout_seed). Only the code and its digests differ.
absl::StatusOr<runtime::Artifact> CompileLayout(const Subject& subject,
                                                uint64_t layout_seed);

// Returns the names of the programs of MakeKernelSubject(). `add`, which is
// bound by the second-level cache, and `conv2d` and `matmul`, which are
// compute-bound, take microseconds on one thread. `gemm`, fifty larger matrix
// products in a row, takes milliseconds and uses all threads.
std::vector<std::string> KernelSubjects();
// CHECK-fails unless `name` is one of these names.
absl::StatusOr<Subject> MakeKernelSubject(
    absl::string_view name, int threads,
    const std::string& target = kHostTarget);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_SUBJECT_H_
