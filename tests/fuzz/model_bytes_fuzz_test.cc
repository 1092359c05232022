// Fuzz test of the importer with arbitrary bytes: it returns an error of one
// line, or a graph that passes the verifier and the graph passes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/verifier.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "tests/fuzz/run_passes.h"
#include "tests/fuzz/wire_mutator.h"

// Defined by libFuzzer; null in tests that only replay a corpus.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data,
                                                         size_t size,
                                                         size_t max_size);

namespace assay::fuzz {
namespace {

// Limits the time of constant folding.
constexpr int64_t kMaxMemory = 1 << 13;
// Larger graphs, from unrolled loops, would take too long to optimise.
constexpr int kMaxNodes = 1000;

void ImportAndOptimize(absl::string_view bytes) {
  frontend::ImportOptions options;
  options.max_memory = kMaxMemory;
  const auto model = frontend::ImportOnnxBytes(bytes, options);
  if (!model.ok()) {
    const absl::string_view message = model.status().message();
    CHECK(!message.empty() && !absl::StrContains(message, "\n")) << message;
    CHECK(!absl::IsInternal(model.status())) << message;
    return;
  }
  graph::Graph& graph = *model->graph;
  const absl::Status status = graph::Verify(graph);
  CHECK(status.ok()) << status;
  if (graph.num_nodes() > kMaxNodes) return;
  const absl::Status optimized = OptimizeAll(graph);
  CHECK(optimized.ok() || !absl::IsInternal(optimized)) << optimized;
}

std::string MutatedByFuzzer(std::string bytes) {
  const size_t size = bytes.size();
  bytes.resize(size + 16);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size,
                                bytes.size()));
  return bytes;
}

// Stores the new model if it fits into `max_size`. Returns the new size.
size_t Store(const std::string& model, uint8_t* data, size_t size,
             size_t max_size) {
  if (model.size() > max_size) return size;
  std::memcpy(data, model.data(), model.size());
  return model.size();
}

absl::string_view AsText(const uint8_t* data, size_t size) {
  return absl::string_view(reinterpret_cast<const char*>(data), size);
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::fuzz::ImportAndOptimize(assay::fuzz::AsText(data, size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  using namespace assay::fuzz;
  assay::Rng rng(seed);
  const absl::string_view old = AsText(data, size);
  const std::string model = MutateModel(old, "", rng, MutatedByFuzzer);
  if (old == model || rng.UniformInt(0, 15) == 0) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  return Store(model, data, size, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out,
                                            unsigned int seed) {
  using namespace assay::fuzz;
  assay::Rng rng(seed);
  const std::string model =
      MutateModel(AsText(data1, size1), AsText(data2, size2), rng);
  return Store(model, out, 0, max_out);
}
