#include "compiler/codegen/llvm/testing/conv_kernel.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "compiler/tir/parser.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

constexpr char kText[] = R"(
func conv(in %data: float32[DATA], in %weight: float32[WEIGHT],
          out %out: float32[OUT]) {
  parallel row in [0, ROWS) {
    for xo in [0, TILES) {
      alloc %acc: local float32[ACC]
CLEAR
      for ic in [0, IN_BLOCKS) {
        for ky in [0, KERNEL) {
          for kx in [0, KERNEL) {
            LOOP ii in [0, LANES) {
UPDATE
            }
          }
        }
      }
STORE
    }
  }
}
)";

// Repeated for each column, with COLUMN replaced.
constexpr char kClear[] =
    "%acc[ramp(COLUMN * LANES, 1, LANES)] = "
    "broadcast(0f, LANES)\n";
constexpr char kUpdate[] =
    "%acc[ramp(COLUMN * LANES, 1, LANES)] = "
    "%acc[ramp(COLUMN * LANES, 1, LANES)] + "
    "broadcast(%data[((ic * PADDED + row % SIZE + ky) * PADDED + "
    "xo * COLUMNS + COLUMN + kx) * LANES + ii], LANES) * "
    "%weight[ramp(((((row / SIZE * IN_BLOCKS + ic) * KERNEL + ky) * KERNEL + "
    "kx) * LANES + ii) * LANES, 1, LANES)]\n";
constexpr char kStore[] =
    "%out[ramp((row * SIZE + xo * COLUMNS + COLUMN) * LANES, 1, LANES)] = "
    "%acc[ramp(COLUMN * LANES, 1, LANES)]\n";

std::string PerColumn(absl::string_view line, int64_t columns) {
  std::string lines;
  for (int64_t column = 0; column < columns; ++column) {
    absl::StrAppend(
        &lines, absl::StrReplaceAll(line, {{"COLUMNS", "COLUMNS"},
                                           {"COLUMN", absl::StrCat(column)}}));
  }
  return lines;
}

}  // namespace

tir::Function ConvKernel(const ConvShape& s) {
  CHECK_EQ(s.size % s.columns, 0);
  const int64_t padded = s.size + s.kernel - 1;
  const int64_t taps = s.kernel * s.kernel;
  std::string text =
      absl::StrReplaceAll(kText, {{"CLEAR", PerColumn(kClear, s.columns)},
                                  {"UPDATE", PerColumn(kUpdate, s.columns)},
                                  {"STORE", PerColumn(kStore, s.columns)}});
  const auto number = [](int64_t n) { return absl::StrCat(n); };
  text = absl::StrReplaceAll(
      text, {{"DATA", number(s.in_blocks * padded * padded * s.lanes)},
             {"WEIGHT",
              number(s.out_blocks * s.in_blocks * taps * s.lanes * s.lanes)},
             {"OUT", number(s.out_blocks * s.size * s.size * s.lanes)},
             {"ROWS", number(s.out_blocks * s.size)},
             {"TILES", number(s.size / s.columns)},
             {"ACC", number(s.columns * s.lanes)},
             {"IN_BLOCKS", number(s.in_blocks)},
             {"KERNEL", number(s.kernel)},
             {"PADDED", number(padded)},
             {"SIZE", number(s.size)},
             {"COLUMNS", number(s.columns)},
             {"LOOP", s.unroll ? "unrolled" : "for"},
             {"LANES", number(s.lanes)}});
  absl::StatusOr<tir::Function> function = tir::ParseFunction(text);
  CHECK(function.ok()) << function.status() << text;
  return *function;
}

}  // namespace assay::codegen
