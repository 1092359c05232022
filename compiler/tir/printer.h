// Text of loop programs, for people and for tir/parser.h, which reads back
// exactly this.
//
//   func conv(in %data: float32[1,3,8,8], out %out: float32[1,4,6,6]) {
//     parallel i in [0, 4) {
//       alloc %acc: local float32[6]
//       for j in [0, 6) {
//         %acc[j] = 0f
//       }
//       if i < 3 {
//         %out[0, i, 0, 0] = %acc[0]
//       } else {
//         pragma auto_unroll_max_step 16 {
//           vectorized k in [0, 6) {
//             …
//
// A loop `v in [min, n)` shows its extent n, not its end, where min is not 0:
// `v in [m, +n)`. An alloc lives until the end of the braces it stands in.
// Names of nested loops and buffers are made unique with a suffix, siblings
// may share one. Expressions: expr/printer.h.
#ifndef ASSAY_COMPILER_TIR_PRINTER_H_
#define ASSAY_COMPILER_TIR_PRINTER_H_

#include <string>

#include "compiler/tir/stmt.h"

namespace assay::tir {

std::string ToString(const Stmt& s);
std::string ToString(const Function& f);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PRINTER_H_
