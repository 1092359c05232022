// Artifacts for the worker that sleeps (sleeping_worker.cc).
#ifndef ASSAY_TESTS_FARM_CHAOS_TOOLS_SLEEPER_ARTIFACT_H_
#define ASSAY_TESTS_FARM_CHAOS_TOOLS_SLEEPER_ARTIFACT_H_

#include <cstdint>

#include "runtime/artifact/artifact.h"

namespace assay {

// A program whose runs take this time. Its code never runs.
runtime::Artifact SleeperArtifact(int64_t nanos);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_TOOLS_SLEEPER_ARTIFACT_H_
