/* The C interface between generated kernels and whatever runs them.
 *
 * A kernel is a function of type AssayKernel. The artifact's shared object
 * exports kernels by name and imports nothing: everything a kernel needs from
 * its surroundings comes through the AssayRuntime table it is handed, so an
 * object built for a board loads there without resolving a single symbol.
 *
 *   int32_t kernel(void* const* buffers, const AssayRuntime* runtime);
 *
 * `buffers` holds one pointer per kernel parameter, inputs first, then
 * outputs, in the order of the artifact's plan; each is aligned to
 * ASSAY_BUFFER_ALIGNMENT bytes. Inputs and outputs never overlap. The return
 * value is 0, or the non-zero value that a runtime function returned.
 *
 * This header is C, depends on nothing, and changes only together with
 * ASSAY_ABI_VERSION, which artifacts carry.
 */
#ifndef ASSAY_RUNTIME_ABI_ABI_H_
#define ASSAY_RUNTIME_ABI_ABI_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_ABI_VERSION 1
#define ASSAY_BUFFER_ALIGNMENT 64

/* One contiguous share [begin, end) of a parallel loop. `closure` is what the
 * kernel passed to parallel_for. Returns 0 or an error code. */
typedef int32_t (*AssayParallelBody)(int32_t begin, int32_t end, void* closure);

typedef struct AssayRuntime {
  /* Opaque to kernels; passed back as the first argument of every call. */
  void* context;

  /* Runs body over [0, extent), split into contiguous shares on as many
   * threads as the runtime was given, and returns when all are done: 0, or
   * the first non-zero value a body returned. Calls do not nest. */
  int32_t (*parallel_for)(void* context, int32_t extent, AssayParallelBody body,
                          void* closure);

  /* Temporary memory of `bytes` bytes, aligned to ASSAY_BUFFER_ALIGNMENT, not
   * cleared; NULL if there is none. Callable from parallel bodies. */
  void* (*workspace_alloc)(void* context, int64_t bytes);
  void (*workspace_free)(void* context, void* memory);
} AssayRuntime;

typedef int32_t (*AssayKernel)(void* const* buffers,
                               const AssayRuntime* runtime);

/* What a kernel returns when workspace_alloc gave NULL. */
#define ASSAY_ERROR_OUT_OF_MEMORY 1

#ifdef __cplusplus
}
#endif

#endif  // ASSAY_RUNTIME_ABI_ABI_H_
