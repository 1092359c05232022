/* Hand-written kernels for the tests of the runtime. They follow the ABI of
 * generated kernels. All tensors have kCount floats. */
#include <stdint.h>

#include "runtime/abi/abi.h"

#define EXPORT __attribute__((visibility("default")))

enum { kCount = 1024 };

/* The compiler marks both ends of kernels that refer to nothing outside. This
 * one is never called. */
__asm__(
    ".text\n"
    ".balign 64\n"
    ".globl test_marked.begin, test_marked, test_marked.end\n"
    ".type test_marked, %function\n"
    "test_marked.begin: .byte 1, 2\n"
    "test_marked: .byte 3, 4, 5, 6\n"
    "test_marked.end: .byte 7\n"
    ".balign 64\n");

/* out = a + b */
EXPORT int32_t test_add(void* const* buffers, const AssayRuntime* runtime) {
  const float* a = (const float*)buffers[0];
  const float* b = (const float*)buffers[1];
  float* out = (float*)buffers[2];
  (void)runtime;
  for (int32_t i = 0; i < kCount; ++i) out[i] = a[i] + b[i];
  return 0;
}

/* Like test_add, but does nothing from the second call on. */
EXPORT int32_t test_lazy_add(void* const* buffers,
                             const AssayRuntime* runtime) {
  static int done = 0;
  return done++ ? 0 : test_add(buffers, runtime);
}

typedef struct {
  const float* in;
  float* out;
  const AssayRuntime* runtime;
} ScaleClosure;

/* Copies through a workspace, so every thread allocates one. */
static int32_t ScaleBody(int32_t begin, int32_t end, void* closure) {
  const ScaleClosure* c = (const ScaleClosure*)closure;
  float* copy = (float*)c->runtime->workspace_alloc(c->runtime->context,
                                                    (int64_t)(end - begin) * 4);
  if (copy == 0) return ASSAY_ERROR_OUT_OF_MEMORY;
  for (int32_t i = begin; i < end; ++i) copy[i - begin] = c->in[i];
  for (int32_t i = begin; i < end; ++i) c->out[i] = 2.0f * copy[i - begin];
  c->runtime->workspace_free(c->runtime->context, copy);
  return 0;
}

/* out = 2 * in, in parallel */
EXPORT int32_t test_scale(void* const* buffers, const AssayRuntime* runtime) {
  ScaleClosure closure;
  closure.in = (const float*)buffers[0];
  closure.out = (float*)buffers[1];
  closure.runtime = runtime;
  return runtime->parallel_for(runtime->context, kCount, ScaleBody, &closure);
}

/* Requests a workspace that is too large. */
EXPORT int32_t test_greedy(void* const* buffers, const AssayRuntime* runtime) {
  (void)buffers;
  if (runtime->workspace_alloc(runtime->context, INT64_MAX) == 0) {
    return ASSAY_ERROR_OUT_OF_MEMORY;
  }
  return 0;
}

EXPORT int32_t test_fail(void* const* buffers, const AssayRuntime* runtime) {
  (void)buffers;
  (void)runtime;
  return 42;
}

/* Returns an error from a parallel body. */
static int32_t FailingBody(int32_t begin, int32_t end, void* closure) {
  (void)end;
  (void)closure;
  return begin == 0 ? 43 : 0;
}

EXPORT int32_t test_parallel_fail(void* const* buffers,
                                  const AssayRuntime* runtime) {
  (void)buffers;
  return runtime->parallel_for(runtime->context, kCount, FailingBody, 0);
}
