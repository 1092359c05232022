// ImportedModel: what the importer (import.h) makes of an ONNX file.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_IMPORTED_MODEL_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_IMPORTED_MODEL_H_

#include <memory>
#include <set>
#include <string>

#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// What the graph does not say about the file.
struct ModelFacts {
  // True if the file has quantized operators, even if the graph has none,
  // because only its weights are quantized.
  bool quantized = false;
  // True if the file has products of 8-bit integers, or of floats that a
  // runtime may round to 8 bits.
  bool has_inexact_products = false;
  // The files of external data of all tensors, also of those that the importer
  // does not read, relative to the folder of the model.
  std::set<std::string> external_files;
};

// Returns the facts about a model that may be invalid.
ModelFacts FindFacts(const onnx::ModelProto& model);

struct ImportedModel {
  std::unique_ptr<graph::Graph> graph;
  ModelFacts facts;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_IMPORTED_MODEL_H_
