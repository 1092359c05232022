#include "compiler/target/cpu_table.h"

#include "runtime/base/check.h"

namespace assay::target {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;

constexpr Arch kX86 = Arch::kX86_64;
constexpr Arch kA64 = Arch::kAArch64;
constexpr Arch kArm = Arch::kArm;

// The first row of an architecture is its baseline.
constexpr CpuRow kCpus[] = {
    {"x86-64", kX86, "", 32 * kKiB, 256 * kKiB, 4 * kMiB},
    {"x86-64-v2", kX86, "sse4.2", 32 * kKiB, 256 * kKiB, 4 * kMiB},
    {"x86-64-v3", kX86, "avx2,f16c,fma", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"x86-64-v4", kX86, "avx512bw,avx512vl,f16c", 32 * kKiB, 1 * kMiB,
     8 * kMiB},
    {"sandybridge", kX86, "avx", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"haswell", kX86, "avx2,f16c,fma", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"broadwell", kX86, "avx2,f16c,fma", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"skylake", kX86, "avx2,f16c,fma", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"skylake-avx512", kX86, "avx512bw,avx512vl,f16c", 32 * kKiB, 1 * kMiB,
     16 * kMiB},
    {"cascadelake", kX86, "avx512bw,avx512vl,avx512vnni,f16c", 32 * kKiB,
     1 * kMiB, 16 * kMiB},
    {"icelake-server", kX86, "avx512bw,avx512vl,avx512vnni,f16c", 48 * kKiB,
     1280 * kKiB, 32 * kMiB},
    {"sapphirerapids", kX86,
     "amx-bf16,amx-int8,avx512bf16,avx512bw,avx512vl,avx512vnni,f16c",
     48 * kKiB, 2 * kMiB, 64 * kMiB},
    {"graniterapids", kX86,
     "amx-bf16,amx-int8,avx512bf16,avx512bw,avx512vl,avx512vnni,f16c",
     48 * kKiB, 2 * kMiB, 64 * kMiB},
    {"znver1", kX86, "avx2,f16c,fma", 32 * kKiB, 512 * kKiB, 8 * kMiB},
    {"znver2", kX86, "avx2,f16c,fma", 32 * kKiB, 512 * kKiB, 16 * kMiB},
    {"znver3", kX86, "avx2,f16c,fma", 32 * kKiB, 512 * kKiB, 32 * kMiB},
    {"znver4", kX86, "avx512bf16,avx512bw,avx512vl,avx512vnni,f16c", 32 * kKiB,
     1 * kMiB, 32 * kMiB},
    {"znver5", kX86, "avx512bf16,avx512bw,avx512vl,avx512vnni,f16c", 48 * kKiB,
     1 * kMiB, 32 * kMiB},

    {"generic", kA64, "neon", 32 * kKiB, 256 * kKiB, 0},
    {"cortex-a53", kA64, "neon", 32 * kKiB, 512 * kKiB, 0},
    {"cortex-a55", kA64, "dotprod,fullfp16,neon", 32 * kKiB, 128 * kKiB,
     1 * kMiB},
    {"cortex-a57", kA64, "neon", 32 * kKiB, 2 * kMiB, 0},
    {"cortex-a72", kA64, "neon", 32 * kKiB, 1 * kMiB, 0},
    {"cortex-a76", kA64, "dotprod,fullfp16,neon", 64 * kKiB, 512 * kKiB,
     2 * kMiB},
    {"neoverse-n1", kA64, "dotprod,fullfp16,neon", 64 * kKiB, 1 * kMiB,
     32 * kMiB},

    {"generic", kArm, "neon", 32 * kKiB, 256 * kKiB, 0},
    {"cortex-a7", kArm, "neon,vfp4", 32 * kKiB, 512 * kKiB, 0},
    {"cortex-a8", kArm, "neon", 32 * kKiB, 256 * kKiB, 0},
    {"cortex-a9", kArm, "neon", 32 * kKiB, 512 * kKiB, 0},
    {"cortex-a15", kArm, "neon,vfp4", 32 * kKiB, 1 * kMiB, 0},
    {"cortex-a53", kArm, "fp-armv8,neon", 32 * kKiB, 512 * kKiB, 0},
    {"cortex-a72", kArm, "fp-armv8,neon", 32 * kKiB, 1 * kMiB, 0},
};

// Properties that schedules assume for targets without machine code.
constexpr CpuRow kAnyCpu = {"generic", Arch::kNone, "",
                            32 * kKiB, 256 * kKiB,  0};

constexpr FeatureImplication kImplications[] = {
    {kX86, "amx-bf16", "amx-tile"},
    {kX86, "amx-int8", "amx-tile"},
    {kX86, "avx512vnni", "avx512f"},
    {kX86, "avx512bf16", "avx512bw"},
    {kX86, "avx512vl", "avx512f"},
    {kX86, "avx512bw", "avx512f"},
    {kX86, "avx512f", "avx2"},
    {kX86, "avx512f", "f16c"},
    {kX86, "avx512f", "fma"},
    {kX86, "avxvnni", "avx2"},
    {kX86, "avx2", "avx"},
    {kX86, "f16c", "avx"},
    {kX86, "fma", "avx"},
    {kX86, "avx", "sse4.2"},
    {kX86, "sse4.2", "sse4.1"},
    {kA64, "i8mm", "neon"},
    {kA64, "dotprod", "neon"},
    {kArm, "fp-armv8", "vfp4"},
};

}  // namespace

absl::Span<const CpuRow> CpuTable() { return kCpus; }

absl::Span<const FeatureImplication> FeatureImplications() {
  return kImplications;
}

const CpuRow* FindCpu(Arch arch, absl::string_view name) {
  for (const CpuRow& row : kCpus) {
    if (row.arch == arch && name == row.name) return &row;
  }
  return nullptr;
}

const CpuRow& BaselineCpu(Arch arch) {
  if (arch == Arch::kNone) return kAnyCpu;
  for (const CpuRow& row : kCpus) {
    if (row.arch == arch) return row;
  }
  CHECK(false) << "no processor for architecture " << static_cast<int>(arch);
  return kCpus[0];
}

}  // namespace assay::target
