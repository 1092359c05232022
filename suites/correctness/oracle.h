// InterpreterOracle: computes the correct outputs of a model with the reference
// interpreter, and caches them.
//
// The interpreter shares no pass, schedule or generated code with the program
// under test. It takes seconds for a network that takes milliseconds, so its
// outputs are cached in the user's cache folder, under a digest of everything
// they depend on: model, imported graph, inputs, and the interpreter itself.
// Invalid cache files are ignored and the outputs computed again. A cache that
// cannot be written is not an error.
#ifndef ASSAY_SUITES_CORRECTNESS_ORACLE_H_
#define ASSAY_SUITES_CORRECTNESS_ORACLE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/model.h"

namespace assay::suites {

class Oracle {
 public:
  virtual ~Oracle() = default;
  // Returns the correct outputs for `inputs`, which have the names and order of
  // the inputs of the model.
  virtual absl::StatusOr<runtime::NamedTensors> Reference(
      const Model& model, const runtime::NamedTensors& inputs) = 0;
};

class InterpreterOracle : public Oracle {
 public:
  // `folder` is the cache folder; if empty, nothing is cached. `version` must
  // change whenever the interpreter may have changed, like ProgramDigest().
  InterpreterOracle(std::string folder, std::string version)
      : folder_(std::move(folder)), version_(std::move(version)) {}

  absl::StatusOr<runtime::NamedTensors> Reference(
      const Model& model, const runtime::NamedTensors& inputs) override;

 private:
  const std::string folder_;
  const std::string version_;
};

// Returns a digest of the running program, which contains the interpreter, so
// that it changes with the interpreter.
absl::StatusOr<std::string> ProgramDigest();

// Returns the same input values for the graph as `bench_artifact --seed` uses
// for the compiled model.
runtime::NamedTensors SeededInputs(const graph::Graph& graph, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ORACLE_H_
