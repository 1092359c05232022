#include "compiler/graph/digest.h"

#include <cstring>

namespace assay::graph {
namespace {

uint64_t Mix(uint64_t hash, uint64_t word) {
  hash ^= word;
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

}  // namespace

uint64_t DigestOf(const NDArray& array) {
  uint64_t hash =
      Mix(0x6173736179u, static_cast<uint64_t>(array.dtype().code()));
  hash = Mix(hash, array.dtype().bits());
  for (int64_t extent : array.shape()) hash = Mix(hash, extent);
  const char* bytes = static_cast<const char*>(array.raw());
  size_t left = array.num_bytes();
  while (left > 0) {
    uint64_t word = 0;
    const size_t n = left < sizeof(word) ? left : sizeof(word);
    std::memcpy(&word, bytes, n);
    hash = Mix(hash, word);
    bytes += n;
    left -= n;
  }
  return Mix(hash, array.num_bytes());
}

}  // namespace assay::graph
