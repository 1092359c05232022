#include "runtime/process/address_space.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include "runtime/base/random.h"

namespace assay::runtime {
namespace {

constexpr char kVariable[] = "ASSAY_ADDRESS_SPACE";
constexpr int64_t kPage = 4096;
constexpr int64_t kMaxHeapPages = 1 << 10;
constexpr int64_t kMaxMappedPages = 1 << 15;
constexpr int64_t kMaxStackUnits = 1 << 12;

}  // namespace

size_t DrawAddressSpace(uint64_t seed, char** argv) {
  const int old = personality(0xffffffff);
  // The kernel restores random addresses if exec() gives privileges. A program
  // that did not notice would execute itself forever.
  if (old >= 0 && (old & ADDR_NO_RANDOMIZE) == 0 &&
      getenv(kVariable) == nullptr &&
      personality(static_cast<unsigned long>(old) | ADDR_NO_RANDOMIZE) >= 0) {
    setenv(kVariable, "fixed", /*overwrite=*/1);
    execv("/proc/self/exe", argv);
    return 0;
  }
  Rng rng(seed);
  // Allocations of any size come from the heap, so that they do not move the
  // mappings of code and buffers.
  (void)mallopt(M_MMAP_MAX, 0);
  // Neither is ever used or released, and failures are harmless.
  (void)sbrk(static_cast<intptr_t>(kPage * rng.UniformInt(0, kMaxHeapPages)));
  (void)mmap(nullptr,
             static_cast<size_t>(kPage * rng.UniformInt(1, kMaxMappedPages)),
             PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return static_cast<size_t>(16 * rng.UniformInt(0, kMaxStackUnits));
}

}  // namespace assay::runtime
