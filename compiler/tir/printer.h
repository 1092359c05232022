// ToString: prints the text form of loop programs. tir/parser.h parses it.
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
// `v in [0, n)` is a loop with n iterations that starts at 0. A loop that
// starts at m is printed as `v in [m, +n)`, where n is also the number of
// iterations, not the end. An alloc is live until the end of the enclosing
// braces. If nested loops or buffers have equal names, the printer appends
// suffixes to make the names unique. Names are reused outside the scope of a
// loop or buffer. expr/printer.h defines the text form of expressions.
#ifndef ASSAY_COMPILER_TIR_PRINTER_H_
#define ASSAY_COMPILER_TIR_PRINTER_H_

#include <string>

#include "compiler/tir/stmt.h"

namespace assay::tir {

std::string ToString(const Stmt& s);
std::string ToString(const Function& f);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PRINTER_H_
