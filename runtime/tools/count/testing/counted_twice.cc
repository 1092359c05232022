// A program with one region that both the plug-in of qemu and Callgrind count.
// Its argument selects the work in the region: `nothing`, `product` (a product
// of matrices), `sort`, or `modify` (instructions that read and write memory).
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "runtime/tools/count/region_marker.h"
#include "valgrind/callgrind.h"

namespace assay::runtime {
namespace {

using Work = void (*)();

void Nothing() { asm volatile(""); }

constexpr int kSize = 64;
float a[kSize][kSize], b[kSize][kSize], c[kSize][kSize];

// Without FMA: Callgrind loads each lane of its operand separately.
__attribute__((target("avx2"))) void Product() {
  for (int i = 0; i < kSize; ++i) {
    for (int k = 0; k < kSize; ++k) {
      for (int j = 0; j < kSize; ++j) {
        c[i][j] += a[i][k] * b[k][j];
      }
    }
  }
}

std::vector<int> values(1000);

void Sort() { std::sort(values.begin(), values.end()); }

int modified = 0;

void Modify() {
  for (int i = 0; i < 1000; ++i) asm volatile("addl $1, %0" : "+m"(modified));
}

int Main(const std::string& what) {
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i * 7919 % 1000);
  }
  // The compiler must not know the elements.
  asm volatile("" : : "r"(a), "r"(b), "r"(c) : "memory");
  const Work work = what == "product"  ? Product
                    : what == "sort"   ? Sort
                    : what == "modify" ? Modify
                                       : Nothing;
  work();  // not counted: the first run may initialize something
  CALLGRIND_TOGGLE_COLLECT;
  BeginRegion();
  work();
  EndRegion();
  CALLGRIND_TOGGLE_COLLECT;
  return 0;
}

}  // namespace
}  // namespace assay::runtime

int main(int argc, char** argv) {
  return argc == 2 ? assay::runtime::Main(argv[1]) : 2;
}
