/* The C ABI between generated kernels and the runtime that calls them.
 *
 * A kernel is a function of type AssayKernel. The shared object of an artifact
 * exports its kernels by name and has no undefined symbols. A kernel calls the
 * runtime only through the AssayRuntime table that it receives as an argument.
 * Therefore the loader does not need to resolve any symbols.
 *
 *   int32_t kernel(void* const* buffers, const AssayRuntime* runtime);
 *
 * `buffers` contains one pointer per kernel parameter, inputs before outputs,
 * in the order of the KernelCall (runtime/artifact/artifact.h). Each pointer is
 * aligned to ASSAY_BUFFER_ALIGNMENT bytes. An output does not overlap any other
 * buffer. The return value is
 *   - 0 on success;
 *   - ASSAY_ERROR_OUT_OF_MEMORY if workspace_alloc returned NULL;
 *   - the result of parallel_for if it is not 0.
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

/* The value of Artifact::code_kind for artifacts whose code is an ELF shared
 * object with this interface. */
#define ASSAY_CODE_KIND_ELF "elf"

/* Runs the iterations [begin, end) of a parallel loop. `closure` is the pointer
 * that the kernel passed to parallel_for. Returns 0 or an error code. */
typedef int32_t (*AssayParallelBody)(int32_t begin, int32_t end, void* closure);

typedef struct AssayRuntime {
  /* Kernels must pass this pointer as the first argument of every function
   * below, and must not use it otherwise. */
  void* context;

  /* Splits [0, extent) into contiguous chunks and runs `body` on each chunk, on
   * the threads of the runtime. Returns after the last chunk has finished.
   * Returns 0 if all bodies returned 0, otherwise the first non-zero value that
   * a body returned. A body must not call parallel_for. */
  int32_t (*parallel_for)(void* context, int32_t extent, AssayParallelBody body,
                          void* closure);

  /* Allocates `bytes` bytes of uninitialised scratch memory, aligned to
   * ASSAY_BUFFER_ALIGNMENT. Returns NULL on failure. May be called from
   * parallel bodies. */
  void* (*workspace_alloc)(void* context, int64_t bytes);
  /* Frees memory that workspace_alloc returned. */
  void (*workspace_free)(void* context, void* memory);
} AssayRuntime;

typedef int32_t (*AssayKernel)(void* const* buffers,
                               const AssayRuntime* runtime);

/* The value that a kernel or a parallel body returns if workspace_alloc
 * returned NULL. */
#define ASSAY_ERROR_OUT_OF_MEMORY 1

#ifdef __cplusplus
}
#endif

#endif  // ASSAY_RUNTIME_ABI_ABI_H_
