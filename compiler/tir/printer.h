// The text form of loop programs, which tir/parser.h reads back.
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
// `v in [0, n)` is a loop from 0 with extent n; a loop with another start
// prints its extent as well, not its end: `v in [m, +n)`. An alloc is live
// until the end of the enclosing braces. Names of nested loops and buffers are
// made unique with a suffix; siblings may share a name. Expressions:
// expr/printer.h.
#ifndef ASSAY_COMPILER_TIR_PRINTER_H_
#define ASSAY_COMPILER_TIR_PRINTER_H_

#include <string>

#include "compiler/tir/stmt.h"

namespace assay::tir {

std::string ToString(const Stmt& s);
std::string ToString(const Function& f);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PRINTER_H_
