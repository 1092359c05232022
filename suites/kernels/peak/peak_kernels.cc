#include "suites/kernels/peak/peak_kernels.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace assay::suites {
namespace {

// Twelve accumulators hide the latency of a multiply-add on all known
// processors and leave room for the operands in sixteen registers.
constexpr int kAccumulators = 12;
// Tiles of accumulators and of each factor: all eight tile registers. Four
// accumulators hide the latency of a tile product.
constexpr int kSums = 4;
constexpr int kFactors = 2;
constexpr int64_t kTile = 256;  // elements of 32 bits

// Repeats `line` `count` times, with COLUMN replaced by the index.
std::string Repeated(absl::string_view line, int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&lines,
                    absl::StrReplaceAll(line, {{"COLUMN", absl::StrCat(i)}}));
  }
  return lines;
}

std::string Filled(absl::string_view text, int lanes, int64_t turns, int shares,
                   int64_t floats) {
  const int64_t steps = floats / (kPeakStreams * lanes);
  return absl::StrReplaceAll(
      text,
      {{"PEAK_OUT", absl::StrCat(int64_t{shares} * kAccumulators * lanes)},
       {"READ_OUT", absl::StrCat(int64_t{shares} * kPeakStreams * lanes)},
       {"WHOLE", absl::StrCat(shares * floats)},
       {"FLOATS", absl::StrCat(floats)},
       {"STEPS", absl::StrCat(steps)},
       {"SHARES", absl::StrCat(shares)},
       {"TURNS", absl::StrCat(turns)},
       {"TWICE", absl::StrCat(2 * lanes)},
       {"LANES", absl::StrCat(lanes)}});
}

double BytesRead(int64_t turns, int shares, int64_t floats) {
  return 4.0 * static_cast<double>(floats) * static_cast<double>(turns) *
         shares;
}

// Returns a kernel that updates each accumulator of the type `type` with
// `sum`, in which ACC is the accumulator, and X and Y are two vectors.
PeakKernel SumKernel(absl::string_view type, absl::string_view sum, int lanes,
                     int64_t turns, int shares) {
  const std::string update =
      absl::StrReplaceAll(sum, {{"ACC", "%acc[ramp(COLUMN * LANES, 1, LANES)]"},
                                {"X", "%x[ramp(0, 1, LANES)]"},
                                {"Y", "%x[ramp(LANES, 1, LANES)]"}});
  const std::string text = absl::StrCat(
      "func sum_peak(in %x: ", type, "[TWICE], out %out: ", type,
      "[PEAK_OUT]) {\n"
      "  parallel share in [0, SHARES) {\n"
      "    alloc %acc: local ",
      type, "[", kAccumulators * lanes, "]\n",
      Repeated("%acc[ramp(COLUMN * LANES, 1, LANES)] = "
               "%x[ramp(0, 1, LANES)]\n",
               kAccumulators),
      "    for turn in [0, TURNS) {\n",
      Repeated(
          absl::StrCat("%acc[ramp(COLUMN * LANES, 1, LANES)] = ", update, "\n"),
          kAccumulators),
      "    }\n",
      Repeated(absl::StrCat("%out[ramp((share * ", kAccumulators,
                            " + COLUMN) * LANES, 1, LANES)] = "
                            "%acc[ramp(COLUMN * LANES, 1, LANES)]\n"),
               kAccumulators),
      "  }\n}\n");
  const int64_t sums = int64_t{shares} * kAccumulators * lanes;
  return {Filled(text, lanes, turns, shares, 0),
          {int64_t{8} * lanes, 4 * sums},
          2.0 * static_cast<double>(sums) * static_cast<double>(turns)};
}

}  // namespace

PeakKernel FloatKernel(int lanes, int64_t turns, int shares) {
  return SumKernel("float32", "ACC * X + Y", lanes, turns, shares);
}

PeakKernel DotKernel(absl::string_view intrinsic, int lanes, int64_t turns,
                     int shares) {
  PeakKernel kernel = SumKernel("int32", absl::StrCat(intrinsic, "(ACC, X, Y)"),
                                lanes, turns, shares);
  kernel.amount *= 4;  // products in a lane
  return kernel;
}

PeakKernel TileKernel(absl::string_view intrinsic, int64_t turns, int shares) {
  const bool floats = absl::StrContains(intrinsic, "bf16");
  const std::string type = floats ? "float32" : "int32";
  const auto tile = [](absl::string_view name, absl::string_view start) {
    return absl::StrCat("%", name, "[ramp(", start, ", 1, ", kTile, ")]");
  };
  std::string text = absl::StrCat(
      "func tile_peak(in %a: int32[", kFactors * kTile, "], in %b: int32[",
      kFactors * kTile, "], out %out: ", type, "[", shares * kSums * kTile,
      "]) {\n  parallel share in [0, ", shares, ") {\n    alloc %acc: local ",
      type, "[", kSums * kTile, "]\n");
  std::string products, results;
  for (int i = 0; i < kSums; ++i) {
    const std::string sum = tile("acc", absl::StrCat(i * kTile));
    absl::StrAppend(&text, sum, " = broadcast(", floats ? "0f" : "0", ", ",
                    kTile, ")\n");
    absl::StrAppend(&products, sum, " = ", intrinsic, "(", sum, ", ",
                    tile("a", absl::StrCat(i / kFactors * kTile)), ", ",
                    tile("b", absl::StrCat(i % kFactors * kTile)), ")\n");
    absl::StrAppend(
        &results,
        tile("out", absl::StrCat("(share * ", kSums, " + ", i, ") * ", kTile)),
        " = ", sum, "\n");
  }
  absl::StrAppend(&text, "    for turn in [0, ", turns, ") {\n", products,
                  "    }\n", results, "  }\n}\n");
  const int64_t factor = 4 * kFactors * kTile;
  const int64_t sums = int64_t{shares} * kSums * kTile;
  // Each sum has 16 groups of products.
  const double products_per_sum = 16 * (floats ? 2 : 4);
  return {std::move(text),
          {factor, factor, 4 * sums},
          2 * products_per_sum * static_cast<double>(sums) *
              static_cast<double>(turns)};
}

PeakKernel ReadKernel(int lanes, int64_t turns, int shares, int64_t floats) {
  const std::string text = absl::StrCat(
      "func read_peak(in %x: float32[WHOLE], out %out: float32[READ_OUT]) {\n"
      "  parallel share in [0, SHARES) {\n"
      "    alloc %acc: local float32[",
      kPeakStreams * lanes, "]\n",
      Repeated("%acc[ramp(COLUMN * LANES, 1, LANES)] = broadcast(0f, LANES)\n",
               kPeakStreams),
      "    for turn in [0, TURNS) {\n      for i in [0, STEPS) {\n",
      Repeated(absl::StrCat("%acc[ramp(COLUMN * LANES, 1, LANES)] = "
                            "%acc[ramp(COLUMN * LANES, 1, LANES)] + "
                            "%x[ramp(share * FLOATS + (i * ",
                            kPeakStreams, " + COLUMN) * LANES, 1, LANES)]\n"),
               kPeakStreams),
      "      }\n    }\n",
      Repeated(absl::StrCat("%out[ramp((share * ", kPeakStreams,
                            " + COLUMN) * LANES, 1, LANES)] = "
                            "%acc[ramp(COLUMN * LANES, 1, LANES)]\n"),
               kPeakStreams),
      "  }\n}\n");
  return {Filled(text, lanes, turns, shares, floats),
          {4 * shares * floats, int64_t{4} * shares * kPeakStreams * lanes},
          BytesRead(turns, shares, floats)};
}

PeakKernel CopyKernel(int lanes, int64_t turns, int shares, int64_t floats) {
  const std::string at =
      absl::StrCat("[ramp(share * FLOATS + (i * ", kPeakStreams,
                   " + COLUMN) * LANES, 1, LANES)]");
  const std::string text = absl::StrCat(
      "func copy_peak(in %x: float32[WHOLE], out %out: float32[WHOLE]) {\n"
      "  parallel share in [0, SHARES) {\n"
      "    for turn in [0, TURNS) {\n      for i in [0, STEPS) {\n",
      Repeated(absl::StrCat("%out", at, " = %x", at, "\n"), kPeakStreams),
      "      }\n    }\n  }\n}\n");
  return {Filled(text, lanes, turns, shares, floats),
          {4 * shares * floats, 4 * shares * floats},
          BytesRead(turns, shares, floats)};
}

}  // namespace assay::suites
