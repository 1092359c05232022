#include "suites/references/onednn_library.h"

#include "absl/strings/str_cat.h"
#include "suites/references/dynamic_library.h"

namespace assay::suites {
namespace {

constexpr char kOpenMp[] =
    "debian_openmp/usr/lib/x86_64-linux-gnu/libgomp.so.1";

}  // namespace

absl::StatusOr<OneDnnLibrary> OpenOneDnnLibrary(absl::string_view program) {
  // oneDNN uses the OpenMP that is open already.
  ASSAY_ASSIGN_OR_RETURN(const DynamicLibrary omp,
                         DynamicLibrary::Open(program, {kOpenMp}));
  ASSAY_ASSIGN_OR_RETURN(const DynamicLibrary library,
                         DynamicLibrary::OpenWheel(program, "onednn"));
  static auto* const workers = new PinnedWorkers;  // see OneDnnLibrary
  OneDnnLibrary f;
  f.workers = workers;
  ASSAY_RETURN_IF_ERROR(
      omp.Find("omp_set_num_threads", &f.omp_set_num_threads));
#define ASSAY_FIND_FUNCTION(name, type) \
  ASSAY_RETURN_IF_ERROR(library.Find("dnnl_" #name, &f.name));
  ASSAY_FOR_EACH_ONEDNN_FUNCTION(ASSAY_FIND_FUNCTION)
#undef ASSAY_FIND_FUNCTION
  ASSAY_RETURN_IF_ONEDNN_ERROR(f.engine_create(&f.engine, dnnl::kCpu, 0));
  ASSAY_RETURN_IF_ONEDNN_ERROR(
      f.stream_create(&f.stream, f.engine, dnnl::kInOrder));
  return f;
}

absl::Status OneDnnStatus(int status, absl::string_view call) {
  if (status == dnnl::kSuccess) return absl::OkStatus();
  call = call.substr(0, call.find('('));
  call = call.substr(call.rfind('.') + 1);
  return absl::InternalError(
      absl::StrCat("oneDNN's `dnnl_", call, "` failed with status ", status));
}

absl::StatusOr<bool> ReducesPrecision(const OneDnnLibrary& library) {
  int mode = dnnl::kStrict;
  ASSAY_RETURN_IF_ONEDNN_ERROR(library.get_default_fpmath_mode(&mode));
  return mode != dnnl::kStrict;
}

}  // namespace assay::suites
