// InterpreterOracle: computes the correct outputs of a model with the reference
// interpreter, and caches them.
//
// For a quantized model, these are the outputs of Model::integer_graph. The
// pass that makes it is tested by a comparison with the outputs of the imported
// graph (suites/harness/model_answers.h).
//
// The interpreter shares no pass, schedule or generated code with the program
// under test. The interpreter takes seconds for a network that the compiled
// program runs in milliseconds, so outputs are cached in files. The name of a
// cache file is a digest of everything that the outputs depend on: model,
// graph, inputs, the version of the interpreter, and the seed of the
// rounding noise if there is any. If a cache file is invalid, the outputs are
// computed again. Failure to write a cache file is not an error.
//
// Thread-safe. The interpreter answers one caller after the other, because a
// run uses all processors, and only one run at a time can have noise.
#ifndef ASSAY_SUITES_CORRECTNESS_ORACLE_H_
#define ASSAY_SUITES_CORRECTNESS_ORACLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/model.h"

namespace assay::suites {

class Oracle {
 public:
  virtual ~Oracle() = default;
  // Returns outputs for `inputs`, which must have the names and the order of
  // the model's inputs: the correct ones if `seed` is 0, and otherwise outputs
  // that differ from these by the rounding noise that `seed` selects
  // (graph::ScopedRoundingNoise).
  virtual absl::StatusOr<runtime::NamedTensors> Outputs(
      const Model& model, const runtime::NamedTensors& inputs,
      uint64_t seed) = 0;
  // Returns the correct outputs.
  absl::StatusOr<runtime::NamedTensors> Reference(
      const Model& model, const runtime::NamedTensors& inputs) {
    return Outputs(model, inputs, /*seed=*/0);
  }
};

class InterpreterOracle : public Oracle {
 public:
  // `folder` is the cache folder; if it is empty, nothing is cached. `version`
  // must change whenever the interpreter may have changed; ProgramDigest() is
  // suitable. `progress`, unless it is null, is called for each percent of the
  // work of a run of the interpreter, with the number of percent done.
  InterpreterOracle(std::string folder, std::string version,
                    std::function<void(int)> progress = nullptr)
      : folder_(std::move(folder)),
        version_(std::move(version)),
        progress_(std::move(progress)) {}

  absl::StatusOr<runtime::NamedTensors> Outputs(
      const Model& model, const runtime::NamedTensors& inputs,
      uint64_t seed) override;

 private:
  const std::string folder_;
  const std::string version_;
  const std::function<void(int)> progress_;
  absl::Mutex mutex_;  // held while the interpreter runs
};

// Returns a digest of the executable file of this process. The executable
// contains the interpreter, so the digest changes if the interpreter changes.
absl::StatusOr<std::string> ProgramDigest();

// Returns random inputs for `graph`. They are equal to the inputs that
// `bench_artifact --seed` generates for the compiled model.
runtime::NamedTensors SeededInputs(const graph::Graph& graph, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ORACLE_H_
