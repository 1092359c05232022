#include "suites/correctness/oracle.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/index_limits.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/reference/rounding_noise.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::suites {
namespace {

absl::StatusOr<runtime::NamedTensors> Interpret(
    const graph::Graph& graph, const runtime::NamedTensors& inputs,
    uint64_t seed, const std::function<void(int)>& progress) {
  // The factor is odd, so the product is not 0. It has more random bits than
  // small seeds.
  std::optional<graph::ScopedRoundingNoise> noise;
  if (seed != 0) noise.emplace(seed * 0x9e3779b97f4a7c15);
  std::vector<NDArray> values;
  for (const runtime::NamedTensor& input : inputs) {
    values.push_back(input.value);
  }
  std::function<void(double)> on_share;
  if (progress) {
    on_share = [&progress, last = -1](double share) mutable {
      const int percent = static_cast<int>(share * 100);
      if (percent == last) return;
      last = percent;
      progress(percent);
    };
  }
  ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> results,
                         graph::Evaluate(graph, values, on_share));
  CHECK_EQ(results.size(), graph.data_outputs().size());
  runtime::NamedTensors outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    outputs.push_back({graph.outputs()[i].name, std::move(results[i])});
  }
  return outputs;
}

// Returns true if `outputs` have the names, types and shapes of the graph's.
bool Fits(const runtime::NamedTensors& outputs, const graph::Graph& graph) {
  const auto proper = graph.data_outputs();
  return std::equal(outputs.begin(), outputs.end(), proper.begin(),
                    proper.end(), [](const auto& tensor, const auto& output) {
                      Shape shape = output.value.type().shape;
                      if (output.is_bounded() &&
                          tensor.value.shape().size() == shape.size()) {
                        shape[output.axis] = tensor.value.shape()[output.axis];
                      }
                      return tensor.name == output.name &&
                             tensor.value.dtype() ==
                                 output.value.type().dtype &&
                             tensor.value.shape() == shape;
                    });
}

// A file of the cache begins with the digest of its key and contents, so that
// neither a damaged file nor the answer to another question is used.
std::string Seal(absl::string_view key, absl::string_view bytes) {
  return Sha256Hex(absl::StrCat(key, "\n", bytes));
}

absl::StatusOr<runtime::NamedTensors> ReadAnswer(const std::string& path,
                                                 absl::string_view key) {
  ASSAY_ASSIGN_OR_RETURN(const std::string file, ReadFile(path));
  const size_t length = Seal(key, "").size();
  const absl::string_view seal = absl::string_view(file).substr(0, length);
  const absl::string_view bytes = absl::string_view(file).substr(seal.size());
  if (seal != Seal(key, bytes)) return absl::DataLossError(path);
  return runtime::ParseTensors(bytes);
}

}  // namespace

absl::StatusOr<runtime::NamedTensors> InterpreterOracle::Outputs(
    const Model& model, const runtime::NamedTensors& inputs, uint64_t seed) {
  CHECK(model.graph != nullptr);
  const absl::MutexLock lock(&mutex_);
  if (folder_.empty())
    return Interpret(model.computed(), inputs, seed, progress_);

  const std::string key = Sha256Hex(absl::StrCat(
      version_, "\n", model.digest, "\n", runtime::TensorsDigest(inputs), "\n",
      seed, "\n", graph::ToString(model.computed())));
  const std::string path = JoinPath(folder_, absl::StrCat(key, ".answer"));
  const absl::StatusOr<runtime::NamedTensors> kept = ReadAnswer(path, key);
  if (kept.ok() && Fits(*kept, model.computed())) return kept;

  ASSAY_ASSIGN_OR_RETURN(runtime::NamedTensors outputs,
                         Interpret(model.computed(), inputs, seed, progress_));
  if (MakeDirs(folder_).ok()) {
    const std::string bytes = runtime::SerializeTensors(outputs);
    WriteFileAtomic(path, absl::StrCat(Seal(key, bytes), bytes)).IgnoreError();
  }
  return outputs;
}

absl::StatusOr<std::string> ProgramDigest() {
  ASSAY_ASSIGN_OR_RETURN(const std::string program, ReadFile("/proc/self/exe"));
  return Sha256Hex(program);
}

runtime::NamedTensors SeededInputs(const graph::Graph& graph, uint64_t seed) {
  runtime::NamedTensors inputs;
  const auto limits = graph::IndexLimits(graph);
  for (const graph::Node* node : graph.inputs()) {
    const size_t index = inputs.size();
    inputs.push_back(
        {node->name(), runtime::SeededInput(
                           node->type().dtype, node->type().shape,
                           limits[index].value_or(runtime::kDefaultIndexLimit),
                           static_cast<int>(index), seed)});
  }
  return inputs;
}

}  // namespace assay::suites
