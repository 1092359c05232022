// A program whose regions have known counts, for tests of the plug-in. Its
// argument selects what it does:
//   loops    regions of loops that are written in assembly, see Loops(), and of
//            a loop with and without spilled registers, see Spills()
//   nested, unbegun, unended    wrong regions
//   threads  a second thread
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "runtime/tools/count/region_marker.h"

namespace assay::runtime {
namespace {

// Each iteration executes one vector multiply-add, one scalar instruction and
// one branch.
__attribute__((noinline)) void MultiplyAdds(int64_t count) {
  int32_t left = static_cast<int32_t>(count);
#if defined(__x86_64__)
  asm volatile(
      "1: vfmadd231ps %%ymm0, %%ymm1, %%ymm2\n\t"
      "subl $1, %0\n\t"
      "jne 1b"
      : "+r"(left)
      :
      : "cc", "xmm2");
#elif defined(__aarch64__)
  asm volatile(
      "1: fmla v2.4s, v0.4s, v1.4s\n\t"
      "subs %w0, %w0, #1\n\t"
      "b.ne 1b"
      : "+r"(left)
      :
      : "cc", "v2");
#elif defined(__arm__)
  asm volatile(
      ".fpu neon\n\t"
      "1: vmla.f32 q2, q0, q1\n\t"
      "subs %0, %0, #1\n\t"
      "bne 1b"
      : "+r"(left)
      :
      : "cc", "d4", "d5");
#endif
}

alignas(64) char buffer[2 * 1000 * 16];

// Each iteration loads 16 bytes, stores them back and proceeds to the next 16
// bytes: one load, one store, two scalar instructions and one branch.
__attribute__((noinline)) void Copies(int64_t count) {
  char* at = buffer;
  int32_t left = static_cast<int32_t>(count);
#if defined(__x86_64__)
  asm volatile(
      "1: movups (%0), %%xmm0\n\t"
      "movups %%xmm0, (%0)\n\t"
      "addq $16, %0\n\t"
      "subl $1, %1\n\t"
      "jne 1b"
      : "+r"(at), "+r"(left)
      :
      : "cc", "xmm0", "memory");
#elif defined(__aarch64__)
  asm volatile(
      "1: ldr q0, [%0]\n\t"
      "str q0, [%0]\n\t"
      "add %0, %0, #16\n\t"
      "subs %w1, %w1, #1\n\t"
      "b.ne 1b"
      : "+r"(at), "+r"(left)
      :
      : "cc", "v0", "memory");
#elif defined(__arm__)
  asm volatile(
      ".fpu neon\n\t"
      "1: vld1.32 {d0, d1}, [%0]\n\t"
      "vst1.32 {d0, d1}, [%0]\n\t"
      "add %0, %0, #16\n\t"
      "subs %1, %1, #1\n\t"
      "bne 1b"
      : "+r"(at), "+r"(left)
      :
      : "cc", "d0", "d1", "memory");
#endif
}

// Regions: nothing, MultiplyAdds(1000), MultiplyAdds(2000), Copies(1000),
// Copies(2000).
void Loops() {
  BeginRegion();
  EndRegion();
  for (const auto loop : {MultiplyAdds, Copies}) {
    for (const int64_t count : {1000, 2000}) {
      BeginRegion();
      loop(count);
      EndRegion();
    }
  }
}

// Sums four values of the buffer `count` times. If `spill` is true, no register
// keeps its value from one iteration to the next, so the compiler must store
// the sums in the stack frame.
template <bool spill>
__attribute__((noinline)) float Sum(int64_t count) {
  float values[4];
  std::memcpy(values, buffer, sizeof(values));
  float a = 0, b = 0, c = 0, d = 0;
  for (int64_t i = 0; i < count; ++i) {
    a += values[0];
    b += values[1];
    c += values[2];
    d += values[3];
    if (!spill) continue;
#if defined(__x86_64__)
    asm volatile("" ::
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                       "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15");
#elif defined(__aarch64__)
    asm volatile("" ::
                     : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
                       "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
                       "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",
                       "v25", "v26", "v27", "v28", "v29", "v30", "v31");
#elif defined(__arm__)
    asm volatile("" ::
                     : "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8",
                       "d9", "d10", "d11", "d12", "d13", "d14", "d15");
#endif
  }
  return a + b + c + d;
}

// Regions: Sum<false>(1000), Sum<true>(1000).
float Spills() {
  BeginRegion();
  float sum = Sum<false>(1000);
  EndRegion();
  BeginRegion();
  sum += Sum<true>(1000);
  EndRegion();
  return sum;
}

int Main(const std::string& what) {
  if (what == "loops") {
    Loops();
    std::printf("sum %f\n", static_cast<double>(Spills()));
  } else if (what == "nested") {
    BeginRegion();
    BeginRegion();
    EndRegion();
    EndRegion();
  } else if (what == "unbegun") {
    EndRegion();
  } else if (what == "unended") {
    BeginRegion();
  } else if (what == "threads") {
    std::thread([] {}).join();
  } else {
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace assay::runtime

int main(int argc, char** argv) {
  return argc == 2 ? assay::runtime::Main(argv[1]) : 2;
}
