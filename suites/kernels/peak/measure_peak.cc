#include "suites/kernels/peak/measure_peak.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/codegen/codegen.h"
#include "compiler/driver/compile.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/matrix_tile.h"
#include "compiler/tir/parser.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/devices/devices.h"

namespace assay::suites {
namespace {

constexpr int kSamples = 40;
// Iterations with which a sample of a kernel takes about a millisecond.
constexpr int64_t kVectorTurns = 400'000;
constexpr int64_t kTileTurns = 40'000;

int Lanes(const target::Target& target) { return target.vector_bits() / 32; }

// Returns the highest rate of the kernel, its amount in 10^9 per second. All
// elements of its arguments have the bits of the float32 number 0.5.
absl::StatusOr<double> HighestRate(const PeakKernel& peak, int threads) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  ASSAY_ASSIGN_OR_RETURN(const tir::Function kernel,
                         tir::ParseFunction(peak.text));
  ASSAY_ASSIGN_OR_RETURN(
      const codegen::CodeModule code,
      codegen::Generate({kernel}, target, codegen::Options()));
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Device> device,
                         runtime::CreateDevice(code.kind, threads));
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Module> module,
                         device->Load(code.kind, code.code));
  std::vector<std::unique_ptr<runtime::Buffer>> buffers;
  std::vector<runtime::BufferView> views;
  for (const int64_t bytes : peak.sizes) {
    ASSAY_ASSIGN_OR_RETURN(auto buffer, device->Allocate(bytes));
    views.push_back({buffer.get(), 0, bytes});
    const std::vector<float> halves(static_cast<size_t>(bytes) / 4, 0.5f);
    ASSAY_RETURN_IF_ERROR(device->CopyIn(halves.data(), views.back()));
    buffers.push_back(std::move(buffer));
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::BoundKernel> bound,
                         module->Bind(kernel.name, views));
  ASSAY_RETURN_IF_ERROR(bound->Run());
  int64_t shortest = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < kSamples; ++i) {
    const int64_t start = MonotonicNanos();
    ASSAY_RETURN_IF_ERROR(bound->Run());
    shortest = std::min(shortest, MonotonicNanos() - start);
  }
  return peak.amount / static_cast<double>(std::max<int64_t>(shortest, 1));
}

absl::StatusOr<Bandwidth> MeasureBandwidth(const std::string& level,
                                           int64_t bytes, int threads,
                                           int lanes) {
  // Access about 16 MB in total, so that a sample takes about a millisecond.
  const int64_t turns = std::max<int64_t>(1, (int64_t{16} << 20) / bytes);
  const int64_t unit = int64_t{kPeakStreams} * lanes;
  // A copy reads one half of the buffer and writes the other.
  const int64_t floats = std::max(unit, bytes / 4 / unit * unit);
  const int64_t half = std::max(unit, floats / 2 / unit * unit);
  Bandwidth result;
  result.level = level;
  result.bytes = bytes;
  result.threads = threads;
  ASSAY_ASSIGN_OR_RETURN(
      result.read,
      HighestRate(ReadKernel(lanes, turns, threads, floats), threads));
  ASSAY_ASSIGN_OR_RETURN(
      result.copy,
      HighestRate(CopyKernel(lanes, turns, threads, half), threads));
  return result;
}

// Measures the peaks of all kinds of arithmetic that the target has.
absl::Status MeasureArithmetic(const target::Target& target, int threads,
                               MachinePeak* peak) {
  ASSAY_ASSIGN_OR_RETURN(
      peak->gflops[threads],
      HighestRate(FloatKernel(Lanes(target), kVectorTurns, threads), threads));
  if (const auto kernel = BFloat16KernelFor(target, threads)) {
    ASSAY_ASSIGN_OR_RETURN(peak->bfloat16_gflops[threads],
                           HighestRate(*kernel, threads));
  }
  if (const auto kernel = ByteKernelFor(target, threads)) {
    ASSAY_ASSIGN_OR_RETURN(peak->byte_gops[threads],
                           HighestRate(*kernel, threads));
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<PeakKernel> BFloat16KernelFor(const target::Target& target,
                                            int threads) {
  // The compiler splits float32 numbers in bfloat16 parts.
  const auto tile =
      ops::FindMatrixTile(target, DType::Float32(), DType::Float32());
  if (!tile.has_value()) return std::nullopt;
  return TileKernel("tile_dot2_bf16", kTileTurns, threads);
}

std::optional<PeakKernel> ByteKernelFor(const target::Target& target,
                                        int threads) {
  const DType a = DType::UInt(8), b = DType::Int(8);
  if (ops::FindMatrixTile(target, a, b).has_value()) {
    return TileKernel("tile_dot4_u8s8", kTileTurns, threads);
  }
  if (ops::ChooseDotTile(target, a, b).depth != 4) return std::nullopt;
  // The types for which one instruction is enough.
  return DotKernel(
      ops::MultipliesUnsignedOnly(target) ? "dot4_u8s8" : "dot4_s8s8",
      Lanes(target), kVectorTurns, threads);
}

absl::StatusOr<MachinePeak> MeasurePeak(int all_threads) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  std::vector<int> threads = {1};
  if (all_threads > 1) threads.push_back(all_threads);
  MachinePeak peak;
  for (const int count : threads) {
    ASSAY_RETURN_IF_ERROR(MeasureArithmetic(target, count, &peak));
    // Use half of each cache, to leave room for other data. The DRAM buffer is
    // much larger than the last-level cache.
    const std::pair<const char*, int64_t> levels[] = {
        {"L1", target.l1_bytes() / 2},
        {"L2", target.l2_bytes() / 2},
        {"L3", std::min<int64_t>(target.l3_bytes() / 2, int64_t{8} << 20)},
        {"DRAM", int64_t{128} << 20}};
    for (const auto& [level, bytes] : levels) {
      if (bytes == 0) continue;  // there is no such cache
      ASSAY_ASSIGN_OR_RETURN(
          Bandwidth bandwidth,
          MeasureBandwidth(level, bytes, count, Lanes(target)));
      peak.bandwidths.push_back(std::move(bandwidth));
    }
  }
  return peak;
}

}  // namespace assay::suites
