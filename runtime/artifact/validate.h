// Validate: checks the consistency of the plan of an untrusted artifact.
//
// If Validate() returns OK, running the plan accesses no byte outside the
// inputs, outputs, parameters and arena, and reads no uninitialised tensor,
// provided that the machine code respects its arguments. It checks that
//  - sizes are non-negative and in range, and parameters and arena tensors lie
//    within their blob or arena at aligned offsets;
//  - inputs and outputs are numbered 0, 1, … without gaps and have unique
//    names;
//  - calls refer to existing tensors, write neither parameters nor model
//    inputs, and no output of a call overlaps another argument;
//  - an arena tensor is not read after its bytes were overwritten, i.e. the
//    memory plan does not overlap live tensors;
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
