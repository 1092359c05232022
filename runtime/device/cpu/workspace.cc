#include "runtime/device/cpu/workspace.h"

#include <cstdlib>
#include <new>

#include "runtime/abi/abi.h"

namespace assay::runtime {
namespace {

constexpr size_t kAlignment = ASSAY_BUFFER_ALIGNMENT;

// The blocks of class c have (4 + c % 4) * 64 * 2^(c / 4) bytes: 256, 320, 384,
// 448, 512, 640, … The last class is the largest one below half the address
// space, and at most 2^40 bytes.
constexpr int kNumClasses = sizeof(size_t) == 8 ? 4 * 32 : 4 * 22;

constexpr uint64_t ClassBytes(int size_class) {
  return static_cast<uint64_t>(4 + size_class % 4) * 64 << (size_class / 4);
}

// The smallest class whose blocks hold `bytes`, or kNumClasses.
int ClassFor(uint64_t bytes) {
  int c = 0;
  while (c < kNumClasses && ClassBytes(c) < bytes) c += 4;
  if (c == 0 || c >= kNumClasses + 4) return c == 0 ? 0 : kNumClasses;
  c -= 4;  // the result is one of the four classes after this one
  while (c < kNumClasses && ClassBytes(c) < bytes) ++c;
  return c;
}

// Stored in the kAlignment bytes before the memory that is returned.
struct Header {
  Header* next;
  int size_class;
};
static_assert(sizeof(Header) <= kAlignment);

class Cache {
 public:
  ~Cache() { Trim(); }

  void* Alloc(int size_class) {
    Header* block = free_[size_class];
    if (block != nullptr) {
      free_[size_class] = block->next;
      kept_ -= ClassBytes(size_class);
    } else {
      void* raw = std::aligned_alloc(
          kAlignment, kAlignment + static_cast<size_t>(ClassBytes(size_class)));
      if (raw == nullptr) return nullptr;
      block = new (raw) Header{nullptr, size_class};
    }
    return reinterpret_cast<char*>(block) + kAlignment;
  }

  void Free(void* memory) {
    Header* block =
        reinterpret_cast<Header*>(static_cast<char*>(memory) - kAlignment);
    block->next = free_[block->size_class];
    free_[block->size_class] = block;
    kept_ += ClassBytes(block->size_class);
  }

  void Trim() {
    for (Header*& list : free_) {
      while (list != nullptr) {
        Header* next = list->next;
        std::free(list);
        list = next;
      }
    }
    kept_ = 0;
  }

  size_t kept() const { return static_cast<size_t>(kept_); }

 private:
  Header* free_[kNumClasses] = {};
  uint64_t kept_ = 0;
};

Cache& ThisThreadsCache() {
  static thread_local Cache cache;
  return cache;
}

}  // namespace

void* WorkspaceAlloc(int64_t bytes) {
  if (bytes < 0) return nullptr;
  const int size_class = ClassFor(static_cast<uint64_t>(bytes));
  if (size_class >= kNumClasses) return nullptr;
  return ThisThreadsCache().Alloc(size_class);
}

void WorkspaceFree(void* memory) {
  if (memory != nullptr) ThisThreadsCache().Free(memory);
}

void WorkspaceTrim() { ThisThreadsCache().Trim(); }

size_t WorkspaceKeptBytes() { return ThisThreadsCache().kept(); }

}  // namespace assay::runtime
