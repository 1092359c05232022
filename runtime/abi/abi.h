/* The C ABI between generated kernels and the runtime that calls them.
 *
 * A kernel is a function of type AssayKernel. The artifact's shared object
 * exports its kernels by name and has no undefined symbols: a kernel reaches
 * the runtime only through the AssayRuntime table that it receives, so the
 * loader of the target has no symbol to resolve.
 *
 *   int32_t kernel(void* const* buffers, const AssayRuntime* runtime);
 *
 * `buffers` holds one pointer per kernel parameter, inputs before outputs, in
 * the order of the artifact's plan. Each pointer is aligned to
 * ASSAY_BUFFER_ALIGNMENT bytes. Inputs and outputs do not alias. The return
 * value is 0 or the non-zero error code of the runtime function that failed.
 *
 * This header is plain C without dependencies. Any incompatible change must
 * increment ASSAY_ABI_VERSION, which is stored in every artifact.
 */
#ifndef ASSAY_RUNTIME_ABI_ABI_H_
#define ASSAY_RUNTIME_ABI_ABI_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_ABI_VERSION 1
#define ASSAY_BUFFER_ALIGNMENT 64

/* The kind of code with this interface, as artifacts state it: an ELF shared
 * object. */
#define ASSAY_CODE_KIND_ELF "elf"

/* Runs the iterations [begin, end) of a parallel loop. `closure` is the pointer
 * that the kernel passed to parallel_for. Returns 0 or an error code. */
typedef int32_t (*AssayParallelBody)(int32_t begin, int32_t end, void* closure);

typedef struct AssayRuntime {
  /* Opaque to kernels; the first argument of every function below. */
  void* context;

  /* Splits [0, extent) into contiguous chunks, runs body on each chunk with the
   * runtime's threads, and returns after the last chunk has finished: 0, or
   * the first non-zero value that a body returned. Calls must not be nested. */
  int32_t (*parallel_for)(void* context, int32_t extent, AssayParallelBody body,
                          void* closure);

  /* Allocates `bytes` bytes of uninitialised scratch memory, aligned to
   * ASSAY_BUFFER_ALIGNMENT. Returns NULL on failure. May be called from
   * parallel bodies. */
  void* (*workspace_alloc)(void* context, int64_t bytes);
  void (*workspace_free)(void* context, void* memory);
} AssayRuntime;

typedef int32_t (*AssayKernel)(void* const* buffers,
                               const AssayRuntime* runtime);

/* Returned by a kernel if workspace_alloc returned NULL. */
#define ASSAY_ERROR_OUT_OF_MEMORY 1

#ifdef __cplusplus
}
#endif

#endif  // ASSAY_RUNTIME_ABI_ABI_H_
