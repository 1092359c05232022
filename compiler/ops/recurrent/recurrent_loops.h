// The loops of `recurrent` (compiler/docs/graph_ir.md): the loop over time, and
// in each step the product of the state with the weights and the functions of
// the gates.
//
// A tile is a block of neighbouring units of one panel for a few sequences. The
// sums of all gates of a tile are accumulated in registers and then combined to
// the next state at once, so a step reads the weights and the input once and
// writes only the state. The weights are stored in the order in which tiles
// read them.
//
// If the registers suffice for few sequences only, a large batch would read the
// weights from the second-level cache again and again. Then the gates of a tile
// are multiplied one after the other, with more sequences, and their sums are
// stored on the stack.
//
// The iterations of the loop over time depend on each other. There are two ways
// to use several threads (`ThreadsShare`):
//   - kSequences: each thread runs all steps for some of the sequences of a
//     direction. Threads do not wait for each other, but each of them reads all
//     weights of the direction in each step.
//   - kPanels: in each step, each thread computes some of the panels for all
//     sequences. All threads wait for each other after each step, or twice if
//     the candidate of a `gru` needs the reset gate of all units.
#ifndef ASSAY_COMPILER_OPS_RECURRENT_RECURRENT_LOOPS_H_
#define ASSAY_COMPILER_OPS_RECURRENT_RECURRENT_LOOPS_H_

#include <cstdint>

#include "compiler/ops/implementation.h"

namespace assay::ops {

enum class ThreadsShare : uint8_t { kSequences, kPanels };

// Returns the number of threads that kSequences can use.
int64_t SequenceThreads(const OpInstance& op, const target::Target& target);

// Returns the first result.
te::Tensor RecurrentLoops(const OpInstance& op, const Operands& in,
                          const target::Target& target, ThreadsShare share);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_RECURRENT_RECURRENT_LOOPS_H_
