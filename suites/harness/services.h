// What the harness needs of the rest of the project, as interfaces: something
// that compiles, something that knows the right answer, something that runs.
// run.h is written against these alone and tested with fakes of them.
#ifndef ASSAY_SUITES_HARNESS_SERVICES_H_
#define ASSAY_SUITES_HARNESS_SERVICES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "devices/device.pb.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/detections.h"

namespace assay::suites {

struct Model {
  std::string name;
  // Of everything its output depends on: the file, the files it refers to,
  // how its dimensions were bound. Hex.
  std::string digest;
  // As imported, before any pass.
  std::shared_ptr<const graph::Graph> graph;
  // The ONNX file, for runtimes that read it themselves; null if it is not
  // whole without files beside it.
  std::shared_ptr<const std::string> onnx = nullptr;
  // From the file to the graph.
  double import_ms = 0;
  // Of a detector; others have outputs that are compared as they are.
  std::optional<SuppressionRule> detections = std::nullopt;
};

// A model to be, in a suite that may have several. It is loaded when its turn
// comes, and forgotten afterwards.
struct ModelSource {
  // Whose baselines its times are compared with: `mobilenet`.
  std::string suite;
  // The suite that is told to measure it again, and how: `mobilenet`,
  // {{"variant", "v1"}}.
  std::string target;
  std::vector<std::pair<std::string, std::string>> flags;
  std::function<absl::StatusOr<Model>()> load;
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual absl::StatusOr<runtime::Artifact> Compile(
      const Model& model, const devices::Device& device, bool fusion,
      int threads, const std::string& dump_dir) = 0;
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  // The right outputs for `inputs`, which are named and ordered as the model's.
  virtual absl::StatusOr<runtime::NamedTensors> Reference(
      const Model& model, const runtime::NamedTensors& inputs) = 0;
};

struct Measurement {
  // Milliseconds of one inference per sample, in the order taken.
  std::vector<double> samples_ms;
  // Of the last inference that was timed.
  runtime::NamedTensors outputs;
};

// An artifact on a device, with its inputs.
class Session {
 public:
  virtual ~Session() = default;
  // The threads that it runs on, known once it has run.
  virtual int threads() const = 0;
  virtual absl::StatusOr<runtime::NamedTensors> Evaluate() = 0;
  virtual absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) = 0;
  // Another artifact of the same model, to be measured in turns with this one,
  // in the same memory as far as can be: where data lie makes a difference that
  // is not one of the programs.
  virtual absl::StatusOr<std::unique_ptr<Session>> LoadSharingMemory(
      const runtime::Artifact& artifact, const runtime::NamedTensors& inputs) {
    (void)artifact, (void)inputs;
    return absl::UnimplementedError("memory cannot be shared there");
  }
  // Other values for the inputs, of the same types and shapes.
  virtual absl::Status SetInputs(const runtime::NamedTensors& inputs) {
    (void)inputs;
    return absl::UnimplementedError("inputs cannot be changed there");
  }
  // Called before each round of samples, counted from 0: a session that has
  // several inputs to choose from takes those of the round.
  virtual absl::Status BeginRound(int64_t round) {
    (void)round;
    return absl::OkStatus();
  }
  // One inference: nanoseconds of each kernel call, in the plan's order.
  virtual absl::StatusOr<std::vector<int64_t>> TimeCalls() {
    return absl::UnimplementedError("kernels cannot be timed one by one there");
  }
};

class Runner {
 public:
  virtual ~Runner() = default;
  // `threads` 0 stands for all there are. The arguments outlive the session.
  virtual absl::StatusOr<std::unique_ptr<Session>> Load(
      const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
      int threads) = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SERVICES_H_
