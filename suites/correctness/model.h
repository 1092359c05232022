// Model: an imported model under test, with the data that checks need.
#ifndef ASSAY_SUITES_CORRECTNESS_MODEL_H_
#define ASSAY_SUITES_CORRECTNESS_MODEL_H_

#include <memory>
#include <optional>
#include <string>

#include "compiler/graph/graph.h"
#include "suites/correctness/detections.h"

namespace assay::suites {

struct Model {
  std::string name;
  // Hex digest of everything the output depends on: the file, its files of
  // external data, and the values of its symbolic dimensions.
  std::string digest;
  // The imported graph, before any pass.
  std::shared_ptr<const graph::Graph> graph;
  // Content of the ONNX file, for runtimes that read it themselves; null if it
  // refers to files of external data.
  std::shared_ptr<const std::string> onnx = nullptr;
  // Duration of the import in milliseconds.
  double import_ms = 0;
  // Set for detectors; outputs of other models are compared by element.
  std::optional<SuppressionRule> detections = std::nullopt;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_MODEL_H_
