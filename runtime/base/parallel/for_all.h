// ForAll: calls a function for many numbers with as many threads as there are
// processors.
#ifndef ASSAY_RUNTIME_BASE_PARALLEL_FOR_ALL_H_
#define ASSAY_RUNTIME_BASE_PARALLEL_FOR_ALL_H_

#include <cstddef>
#include <functional>

namespace assay {

// Calls `work` for 0 to count - 1 and returns when all calls have returned.
// Calls run at the same time in any order, so they must not change what others
// use.
void ForAll(size_t count, const std::function<void(size_t)>& work);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_PARALLEL_FOR_ALL_H_
