#include "suites/references/onednn.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "suites/references/dynamic_library.h"
#include "suites/references/onednn_conv.h"
#include "suites/references/onednn_library.h"

namespace assay::suites {
namespace {

class PreparedGemm : public PreparedKernel {
 public:
  PreparedGemm(const OneDnnLibrary* dnnl, const GemmProblem& problem,
               GemmOperands operands, int threads)
      : PreparedKernel(threads, dnnl->workers),
        dnnl_(*dnnl),
        problem_(problem),
        operands_(std::move(operands)),
        c_(problem.int8 ? DType::Int32() : DType::Float32(),
           {problem.m, problem.n}) {}

 private:
  absl::Status Run() override {
    dnnl_.omp_set_num_threads(threads());
    if (problem_.int8) return RunInt8();
    return OneDnnStatus(
        dnnl_.sgemm('N', 'N', problem_.m, problem_.n, problem_.k, 1.0f,
                    std::as_const(operands_.a).data<float>().data(), problem_.k,
                    std::as_const(operands_.b).data<float>().data(), problem_.n,
                    0.0f, c_.data<float>().data(), problem_.n),
        "dnnl_sgemm");
  }

  absl::StatusOr<NDArray> Output() override { return c_.Clone(); }

  absl::Status RunInt8() {
    const int32_t no_offset = 0;
    return OneDnnStatus(
        dnnl_.gemm_u8s8s32(
            'N', 'N', 'F', problem_.m, problem_.n, problem_.k, 1.0f,
            std::as_const(operands_.a).data<uint8_t>().data(), problem_.k, 0,
            std::as_const(operands_.b).data<int8_t>().data(), problem_.n, 0,
            0.0f, c_.data<int32_t>().data(), problem_.n, &no_offset),
        "dnnl_gemm_u8s8s32");
  }

  const OneDnnLibrary& dnnl_;
  const GemmProblem problem_;
  const GemmOperands operands_;
  NDArray c_;
};

class OneDnn : public Reference {
 public:
  explicit OneDnn(const OneDnnLibrary& library) : library_(library) {}

  std::string name() const override { return "onednn"; }

  std::string version() const override {
    const dnnl_version_t* v = library_.version();
    return absl::StrCat(v->major, ".", v->minor, ".", v->patch);
  }

  absl::StatusOr<PreparedReference> PrepareGemm(const GemmProblem& problem,
                                                const GemmOperands& operands,
                                                int threads) override {
    auto gemm =
        std::make_unique<PreparedGemm>(&library_, problem, operands, threads);
    Parity parity;
    ASSAY_ASSIGN_OR_RETURN(parity.affinity, gemm->StartWorkers());
    parity.threads = threads;
    parity.precision = problem.precision();
    ASSAY_ASSIGN_OR_RETURN(parity.reduced_precision,
                           ReducesPrecision(library_));
    parity.optimization = "algorithm chosen by oneDNN";
    return PreparedReference{std::move(gemm), std::move(parity)};
  }

  absl::StatusOr<PreparedReference> PrepareConv(const ConvProblem& problem,
                                                const ConvOperands& operands,
                                                int threads) override {
    return PrepareOneDnnConv(library_, problem, operands, threads);
  }

 private:
  const OneDnnLibrary library_;
};

}  // namespace

absl::Status OneDnnStatus(dnnl_status_t status, absl::string_view call) {
  if (status == dnnl_success) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("oneDNN's `", call, "` failed with status ", status));
}

absl::StatusOr<bool> ReducesPrecision(const OneDnnLibrary& dnnl) {
  dnnl_fpmath_mode_t mode = dnnl_fpmath_mode_strict;
  ASSAY_RETURN_IF_ERROR(OneDnnStatus(dnnl.get_default_fpmath_mode(&mode),
                                     "dnnl_get_default_fpmath_mode"));
  return mode != dnnl_fpmath_mode_strict;
}

absl::StatusOr<std::unique_ptr<Reference>> LoadOneDnn(
    absl::string_view program) {
  const std::string folder = "debian_references/usr/lib/x86_64-linux-gnu/";
  const std::string openmp = folder + "libgomp.so.1";
  ASSAY_ASSIGN_OR_RETURN(const DynamicLibrary omp,
                         DynamicLibrary::Open(program, {openmp}));
  ASSAY_ASSIGN_OR_RETURN(
      const DynamicLibrary library,
      DynamicLibrary::Open(
          program, {folder + "libOpenCL.so.1", folder + "libdnnl.so.2"}));
  static auto* const workers = new PinnedWorkers;  // see OneDnnLibrary
  OneDnnLibrary f;
  f.workers = workers;
  ASSAY_RETURN_IF_ERROR(
      omp.Find("omp_set_num_threads", &f.omp_set_num_threads));
#define ASSAY_FIND_FUNCTION(name) \
  ASSAY_RETURN_IF_ERROR(library.Find("dnnl_" #name, &f.name));
  ASSAY_FOR_EACH_ONEDNN_FUNCTION(ASSAY_FIND_FUNCTION)
#undef ASSAY_FIND_FUNCTION
  ASSAY_RETURN_IF_ERROR(OneDnnStatus(f.engine_create(&f.engine, dnnl_cpu, 0),
                                     "dnnl_engine_create"));
  ASSAY_RETURN_IF_ERROR(OneDnnStatus(
      f.stream_create(&f.stream, f.engine, dnnl_stream_default_flags),
      "dnnl_stream_create"));
  return std::make_unique<OneDnn>(f);
}

}  // namespace assay::suites
