#include "suites/kernels/machine_peak.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "compiler/codegen/codegen.h"
#include "compiler/driver/compile.h"
#include "compiler/tir/parser.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/devices/devices.h"

namespace assay::suites {
namespace {

// Twelve accumulators hide the latency of a multiply-add on all known
// processors and leave room for the operands in sixteen registers.
constexpr int kAccumulators = 12;
constexpr int kStreams = 8;
constexpr int kSamples = 40;

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
  const int64_t steps = floats / (kStreams * lanes);
  return absl::StrReplaceAll(
      text,
      {{"PEAK_OUT", absl::StrCat(int64_t{shares} * kAccumulators * lanes)},
       {"READ_OUT", absl::StrCat(int64_t{shares} * kStreams * lanes)},
       {"WHOLE", absl::StrCat(shares * floats)},
       {"FLOATS", absl::StrCat(floats)},
       {"STEPS", absl::StrCat(steps)},
       {"SHARES", absl::StrCat(shares)},
       {"TURNS", absl::StrCat(turns)},
       {"TWICE", absl::StrCat(2 * lanes)},
       {"LANES", absl::StrCat(lanes)}});
}

class PeakRun {
 public:
  // Returns the shortest time of a kernel call in seconds. `sizes` are the
  // sizes of its arguments in bytes; all elements are 0.5.
  static absl::StatusOr<double> Shortest(const std::string& text, int threads,
                                         const std::vector<int64_t>& sizes) {
    ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                           driver::ResolveTarget("llvm -mcpu=native"));
    ASSAY_ASSIGN_OR_RETURN(const tir::Function kernel,
                           tir::ParseFunction(text));
    ASSAY_ASSIGN_OR_RETURN(
        const codegen::CodeModule code,
        codegen::Generate({kernel}, target, codegen::Options()));
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Device> device,
                           runtime::CreateDevice(code.kind, threads));
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Module> module,
                           device->Load(code.kind, code.code));
    std::vector<std::unique_ptr<runtime::Buffer>> buffers;
    std::vector<runtime::BufferView> views;
    for (const int64_t bytes : sizes) {
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
    return static_cast<double>(std::max<int64_t>(shortest, 1)) * 1e-9;
  }
};

absl::StatusOr<Bandwidth> MeasureBandwidth(const std::string& level,
                                           int64_t bytes, int threads,
                                           int lanes) {
  // Access about 16 MB in total, so that a sample takes about a millisecond.
  const int64_t turns = std::max<int64_t>(1, (int64_t{16} << 20) / bytes);
  const int64_t unit = kStreams * lanes;
  // A copy reads one half of the buffer and writes the other.
  const int64_t floats = std::max(unit, bytes / 4 / unit * unit);
  const int64_t half = std::max(unit, floats / 2 / unit * unit);
  Bandwidth result;
  result.level = level;
  result.bytes = bytes;
  result.threads = threads;
  const double scale = 4e-9 * static_cast<double>(turns) * threads;
  ASSAY_ASSIGN_OR_RETURN(
      const double read,
      PeakRun::Shortest(ReadKernel(lanes, turns, threads, floats), threads,
                        {4 * threads * floats, 4 * threads * unit}));
  result.read = scale * static_cast<double>(floats) / read;
  ASSAY_ASSIGN_OR_RETURN(
      const double copy,
      PeakRun::Shortest(CopyKernel(lanes, turns, threads, half), threads,
                        {4 * threads * half, 4 * threads * half}));
  result.copy = scale * static_cast<double>(half) / copy;
  return result;
}

}  // namespace

std::string PeakKernel(int lanes, int64_t turns, int shares) {
  const std::string text = absl::StrCat(
      "func fma_peak(in %x: float32[TWICE], out %out: float32[PEAK_OUT]) {\n"
      "  parallel share in [0, SHARES) {\n"
      "    alloc %acc: local float32[",
      kAccumulators * lanes, "]\n",
      Repeated("%acc[ramp(COLUMN * LANES, 1, LANES)] = "
               "%x[ramp(0, 1, LANES)]\n",
               kAccumulators),
      "    for turn in [0, TURNS) {\n",
      Repeated("%acc[ramp(COLUMN * LANES, 1, LANES)] = "
               "%acc[ramp(COLUMN * LANES, 1, LANES)] * %x[ramp(0, 1, LANES)]"
               " + %x[ramp(LANES, 1, LANES)]\n",
               kAccumulators),
      "    }\n",
      Repeated(absl::StrCat("%out[ramp((share * ", kAccumulators,
                            " + COLUMN) * LANES, 1, LANES)] = "
                            "%acc[ramp(COLUMN * LANES, 1, LANES)]\n"),
               kAccumulators),
      "  }\n}\n");
  return Filled(text, lanes, turns, shares, 0);
}

std::string ReadKernel(int lanes, int64_t turns, int shares, int64_t floats) {
  const std::string text = absl::StrCat(
      "func read_peak(in %x: float32[WHOLE], out %out: float32[READ_OUT]) {\n"
      "  parallel share in [0, SHARES) {\n"
      "    alloc %acc: local float32[",
      kStreams * lanes, "]\n",
      Repeated("%acc[ramp(COLUMN * LANES, 1, LANES)] = broadcast(0f, LANES)\n",
               kStreams),
      "    for turn in [0, TURNS) {\n      for i in [0, STEPS) {\n",
      Repeated(absl::StrCat("%acc[ramp(COLUMN * LANES, 1, LANES)] = "
                            "%acc[ramp(COLUMN * LANES, 1, LANES)] + "
                            "%x[ramp(share * FLOATS + (i * ",
                            kStreams, " + COLUMN) * LANES, 1, LANES)]\n"),
               kStreams),
      "      }\n    }\n",
      Repeated(absl::StrCat("%out[ramp((share * ", kStreams,
                            " + COLUMN) * LANES, 1, LANES)] = "
                            "%acc[ramp(COLUMN * LANES, 1, LANES)]\n"),
               kStreams),
      "  }\n}\n");
  return Filled(text, lanes, turns, shares, floats);
}

std::string CopyKernel(int lanes, int64_t turns, int shares, int64_t floats) {
  const std::string at = absl::StrCat("[ramp(share * FLOATS + (i * ", kStreams,
                                      " + COLUMN) * LANES, 1, LANES)]");
  const std::string text = absl::StrCat(
      "func copy_peak(in %x: float32[WHOLE], out %out: float32[WHOLE]) {\n"
      "  parallel share in [0, SHARES) {\n"
      "    for turn in [0, TURNS) {\n      for i in [0, STEPS) {\n",
      Repeated(absl::StrCat("%out", at, " = %x", at, "\n"), kStreams),
      "      }\n    }\n  }\n}\n");
  return Filled(text, lanes, turns, shares, floats);
}

absl::StatusOr<MachinePeak> MeasurePeak(int all_threads) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  const int lanes = target.vector_bits() / 32;
  constexpr int64_t kTurns = 400'000;
  std::vector<int> threads = {1};
  if (all_threads > 1) threads.push_back(all_threads);
  MachinePeak peak;
  for (const int count : threads) {
    ASSAY_ASSIGN_OR_RETURN(
        const double seconds,
        PeakRun::Shortest(
            PeakKernel(lanes, kTurns, count), count,
            {8 * lanes, int64_t{4} * count * kAccumulators * lanes}));
    peak.gflops[count] =
        2e-9 * kTurns * kAccumulators * lanes * count / seconds;
    // Use half of each cache, to leave room for other data. The DRAM buffer is
    // much larger than the last-level cache.
    const std::pair<const char*, int64_t> levels[] = {
        {"L1", target.l1_bytes() / 2},
        {"L2", target.l2_bytes() / 2},
        {"L3", std::min<int64_t>(target.l3_bytes() / 2, int64_t{8} << 20)},
        {"DRAM", int64_t{128} << 20}};
    for (const auto& [level, bytes] : levels) {
      if (bytes == 0) continue;  // there is no such cache
      ASSAY_ASSIGN_OR_RETURN(Bandwidth bandwidth,
                             MeasureBandwidth(level, bytes, count, lanes));
      peak.bandwidths.push_back(std::move(bandwidth));
    }
  }
  return peak;
}

std::string PeakToText(const MachinePeak& peak) {
  nlohmann::json json = {{"gflops", nlohmann::json::object()},
                         {"bandwidths", nlohmann::json::array()}};
  for (const auto& [threads, gflops] : peak.gflops) {
    json["gflops"][absl::StrCat(threads)] = gflops;
  }
  for (const Bandwidth& b : peak.bandwidths) {
    json["bandwidths"].push_back({{"level", b.level},
                                  {"bytes", b.bytes},
                                  {"threads", b.threads},
                                  {"read", b.read},
                                  {"copy", b.copy}});
  }
  return json.dump(1) + "\n";
}

absl::StatusOr<MachinePeak> PeakFromText(absl::string_view text) {
  try {
    const nlohmann::json json =
        nlohmann::json::parse(text.data(), text.data() + text.size());
    MachinePeak peak;
    for (const auto& [threads, gflops] : json.at("gflops").items()) {
      peak.gflops[std::stoi(threads)] = gflops.get<double>();
    }
    for (const nlohmann::json& b : json.at("bandwidths")) {
      peak.bandwidths.push_back({b.at("level"), b.at("bytes"), b.at("threads"),
                                 b.at("read"), b.at("copy")});
    }
    return peak;
  } catch (const std::exception&) {
    return absl::InvalidArgumentError(
        "this is not what `//suites:peak` writes; run it again");
  }
}

absl::StatusOr<std::string> PeakPath(absl::string_view fingerprint) {
  ASSAY_ASSIGN_OR_RETURN(const std::string cache, UserCacheDir());
  return JoinPath(JoinPath(cache, "peak"), absl::StrCat(fingerprint, ".json"));
}

}  // namespace assay::suites
