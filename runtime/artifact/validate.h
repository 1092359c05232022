// Validate: whether an artifact's plan makes sense, whoever made it.
//
// After Validate() returned OK, running the plan touches no byte outside the
// inputs, outputs, parameters and arena, whatever the artifact says (its
// machine code apart), and reads nothing that was not written. Checked:
//  - sizes are non-negative and fit; parameters and arena tensors lie inside
//    their blob or arena at aligned offsets;
//  - inputs and outputs are numbered 0, 1, … without gaps, and have names of
//    their own;
//  - calls name existing tensors, write neither parameters nor model inputs,
//    and no output of a call overlaps another argument of it;
//  - an arena tensor is read only while the bytes last written there are
//    whole, so a memory plan that lets two live tensors share is found out;
//  - every model output is written.
// The error names the tensor or call.
#ifndef ASSAY_RUNTIME_ARTIFACT_VALIDATE_H_
#define ASSAY_RUNTIME_ARTIFACT_VALIDATE_H_

#include "absl/status/status.h"
#include "runtime/artifact/artifact.h"

namespace assay::runtime {

absl::Status Validate(const Artifact& artifact);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_VALIDATE_H_
