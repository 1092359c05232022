// InterpreterOracle: the right answer, by the naive interpreter of graphs at
// the model's full size, remembered.
//
// The interpreter shares no pass, schedule or generated code with what is being
// measured. It takes seconds for a network that takes milliseconds, so its
// answers are kept in the user's cache folder, under a digest of everything
// they depend on: model, imported graph, inputs, and the interpreter itself.
// What cannot be read back whole is computed again; a cache that cannot be
// written is a cache that is not there, not an error.
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
  // The right outputs for `inputs`, which are named and ordered as the model's.
  virtual absl::StatusOr<runtime::NamedTensors> Reference(
      const Model& model, const runtime::NamedTensors& inputs) = 0;
};

class InterpreterOracle : public Oracle {
 public:
  // `folder` is where answers are kept, empty to keep none. `version` changes
  // whenever the interpreter may have changed: ProgramDigest().
  InterpreterOracle(std::string folder, std::string version)
      : folder_(std::move(folder)), version_(std::move(version)) {}

  absl::StatusOr<runtime::NamedTensors> Reference(
      const Model& model, const runtime::NamedTensors& inputs) override;

 private:
  const std::string folder_;
  const std::string version_;
};

// Digest of the running program, which the interpreter is linked into: no one
// has to remember to change a number when the interpreter changes.
absl::StatusOr<std::string> ProgramDigest();

// Values for the inputs of the graph: those that `bench_artifact --seed` takes
// for the compiled model.
runtime::NamedTensors SeededInputs(const graph::Graph& graph, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ORACLE_H_
