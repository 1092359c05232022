// TemplateDigest: identifies the code that the points of a task are compiled
// from (compiler/docs/tuning.md).
//
//   ASSAY_ASSIGN_OR_RETURN(const std::string digest,
//                          TemplateDigest(*task.kernel, target));
//
// A time that was measured for a point says nothing about another version of
// the compiler in which the point leads to other loops. Records therefore
// contain the digest, and are used only while it is the same. The digest
// depends on
//   - the target;
//   - the implementations that apply, in the order of the cost model, so that
//     tasks with equal digests have the same default point;
//   - the configuration space of each implementation: its knobs with their
//     candidates, and the preferred configuration;
//   - the loop IR of the kernel with each implementation in its preferred
//     configuration, after all loop passes.
// It does not depend on names of nodes. A change of a template that affects
// other configurations only, or a change of the code generator, does not change
// it.
#ifndef ASSAY_COMPILER_TUNE_TASK_TEMPLATE_DIGEST_H_
#define ASSAY_COMPILER_TUNE_TASK_TEMPLATE_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"

namespace assay::tune {

// Returns 16 hexadecimal digits. `kernel` consists of one kernel, as
// Task::kernel does. This takes about as long as lowering the kernel once with
// each implementation. Returns the error of the lowering if it fails.
absl::StatusOr<std::string> TemplateDigest(const graph::Graph& kernel,
                                           const target::Target& target);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_TASK_TEMPLATE_DIGEST_H_
