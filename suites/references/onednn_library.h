// OneDnnLibrary: those functions of oneDNN's C API that this folder uses.
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_LIBRARY_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_LIBRARY_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "oneapi/dnnl/dnnl.h"
#include "suites/references/pinned_workers.h"

namespace assay::suites {

// Lists the functions, without their prefix `dnnl_`. For each function,
// OneDnnLibrary has a function pointer with this name, whose type is taken from
// oneDNN's header.
#define ASSAY_FOR_EACH_ONEDNN_FUNCTION(F)  \
  F(dilated_convolution_forward_desc_init) \
  F(engine_create)                         \
  F(gemm_u8s8s32)                          \
  F(get_default_fpmath_mode)               \
  F(memory_create)                         \
  F(memory_desc_equal)                     \
  F(memory_desc_init_by_tag)               \
  F(memory_destroy)                        \
  F(post_ops_append_eltwise)               \
  F(post_ops_create)                       \
  F(post_ops_destroy)                      \
  F(primitive_attr_create)                 \
  F(primitive_attr_destroy)                \
  F(primitive_attr_set_post_ops)           \
  F(primitive_create)                      \
  F(primitive_desc_create)                 \
  F(primitive_desc_destroy)                \
  F(primitive_desc_query_md)               \
  F(primitive_destroy)                     \
  F(primitive_execute)                     \
  F(reorder_primitive_desc_create)         \
  F(sgemm)                                 \
  F(stream_create)                         \
  F(stream_wait)                           \
  F(version)

struct OneDnnLibrary {
#define ASSAY_DECLARE_FUNCTION(name) decltype(&dnnl_##name) name = nullptr;
  ASSAY_FOR_EACH_ONEDNN_FUNCTION(ASSAY_DECLARE_FUNCTION)
#undef ASSAY_DECLARE_FUNCTION
  // The function of OpenMP, which oneDNN uses for its threads. It sets the
  // number of threads of the parallel regions that the calling thread starts.
  void (*omp_set_num_threads)(int) = nullptr;
  // The threads of OpenMP. Like the library, they exist until the process ends.
  PinnedWorkers* workers = nullptr;

  // The engine and the stream are never destroyed.
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
};

// Returns OK if `status` is dnnl_success, and otherwise an Internal error.
// `call` is the name of the function that returned `status`. The error message
// contains it.
absl::Status OneDnnStatus(dnnl_status_t status, absl::string_view call);

// Returns true if new primitives may compute in a lower precision than float32,
// which the environment variable ONEDNN_DEFAULT_FPMATH_MODE can allow.
absl::StatusOr<bool> ReducesPrecision(const OneDnnLibrary& dnnl);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_LIBRARY_H_
