// EncodeTensor: stores a plain tensor in any encoding (graph/encoding). A
// program does this once, when it is loaded, with weights that need less memory
// in the artifact if they are plain.
#ifndef ASSAY_COMPILER_OPS_DATA_MOVEMENT_ENCODE_STEPS_H_
#define ASSAY_COMPILER_OPS_DATA_MOVEMENT_ENCODE_STEPS_H_

#include <vector>

#include "compiler/graph/encoding/encoding_step.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns the stored array. Each step is an operation of its own. The results
// are those of graph::Encode(); only the sums of a WinogradStep, in float64,
// may round differently before they are rounded to float32.
te::Tensor EncodeTensor(const te::Tensor& plain,
                        const std::vector<graph::EncodingStep>& steps);

// Schedules a kernel whose result is that of EncodeTensor() with a
// WinogradStep: a vector has the same element of the tiles of several filters.
// Returns false, and does nothing, if there is no such step or the result is
// not stored in blocks of filters.
bool ScheduleFilterTiles(schedule::Schedule& s, const te::Tensor& output,
                         const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DATA_MOVEMENT_ENCODE_STEPS_H_
