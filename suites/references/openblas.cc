#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/dynamic_library.h"
#include "suites/references/libraries.h"
#include "suites/references/library_session.h"

namespace assay::suites {
namespace {

// Constants of CBLAS. The library may be missing, and its header with it.
constexpr int kRowMajor = 101;
constexpr int kNoTranspose = 111;

struct Functions {
  void (*sgemm)(int order, int trans_a, int trans_b, int m, int n, int k,
                float alpha, const float* a, int lda, const float* b, int ldb,
                float beta, float* c, int ldc) = nullptr;
  void (*set_num_threads)(int) = nullptr;
  int (*get_num_threads)() = nullptr;
  char* (*get_config)() = nullptr;
  char* (*get_corename)() = nullptr;
};

class PreparedGemm : public PreparedKernel {
 public:
  PreparedGemm(const Functions* blas, PinnedWorkers* workers,
               const GemmProblem& problem, GemmOperands operands, int threads)
      : PreparedKernel(threads, workers),
        blas_(*blas),
        problem_(problem),
        operands_(std::move(operands)),
        c_(DType::Float32(), {problem.m, problem.n}) {}

 private:
  absl::Status Run() override {
    // This setting is global in the library, so another session may have
    // changed it.
    if (blas_.get_num_threads() != threads()) {
      blas_.set_num_threads(threads());
    }
    const int m = static_cast<int>(problem_.m);
    const int n = static_cast<int>(problem_.n);
    const int k = static_cast<int>(problem_.k);
    blas_.sgemm(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1.0f,
                std::as_const(operands_.a).data<float>().data(), k,
                std::as_const(operands_.b).data<float>().data(), n, 0.0f,
                c_.data<float>().data(), n);
    return absl::OkStatus();
  }

  absl::StatusOr<NDArray> Output() override { return c_.Clone(); }

  const Functions& blas_;
  const GemmProblem problem_;
  const GemmOperands operands_;
  NDArray c_;
};

class OpenBlas : public Reference {
 public:
  OpenBlas(const Functions& functions, PinnedWorkers* workers)
      : functions_(functions), workers_(workers) {}

  std::string name() const override { return "openblas"; }

  // Parses a text such as `OpenBLAS 0.3.34.481.3 … Zen MAX_THREADS=64`.
  std::string version() const override {
    const std::vector<std::string> words =
        absl::StrSplit(functions_.get_config(), ' ', absl::SkipEmpty());
    return words.size() > 1 ? words[1] : "unknown";
  }

  absl::StatusOr<PreparedReference> PrepareGemm(const GemmProblem& problem,
                                                const GemmOperands& operands,
                                                int threads) override {
    if (problem.int8) {
      return absl::UnimplementedError("openblas multiplies no bytes");
    }
    auto gemm = std::make_unique<PreparedGemm>(&functions_, workers_, problem,
                                               operands, threads);
    Parity parity;
    ASSAY_ASSIGN_OR_RETURN(parity.affinity, gemm->StartWorkers());
    // The library may have fewer threads than were asked for.
    parity.threads = functions_.get_num_threads();
    parity.precision = problem.precision();
    parity.optimization =
        absl::StrCat("kernels for ", functions_.get_corename());
    return PreparedReference{std::move(gemm), std::move(parity)};
  }

  absl::StatusOr<PreparedReference> PrepareConv(const ConvProblem&,
                                                const ConvOperands&,
                                                int /*threads*/) override {
    return absl::UnimplementedError("openblas has no convolution");
  }

 private:
  const Functions functions_;
  PinnedWorkers* const workers_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Reference>> LoadOpenBlas(
    absl::string_view program) {
  // The library starts its threads when it is opened, and is never closed.
  static auto* const workers = new PinnedWorkers;
  const auto load = [&] {
    return runtime::DynamicLibrary::OpenWheel(program, "openblas");
  };
  ASSAY_ASSIGN_OR_RETURN(const runtime::DynamicLibrary library,
                         workers->Watch(load));
  // The packager prefixes all names, so that the library can be loaded together
  // with another OpenBLAS.
  Functions f;
  ASSAY_RETURN_IF_ERROR(library.Find("scipy_cblas_sgemm", &f.sgemm));
  ASSAY_RETURN_IF_ERROR(
      library.Find("scipy_openblas_set_num_threads", &f.set_num_threads));
  ASSAY_RETURN_IF_ERROR(
      library.Find("scipy_openblas_get_num_threads", &f.get_num_threads));
  ASSAY_RETURN_IF_ERROR(
      library.Find("scipy_openblas_get_config", &f.get_config));
  ASSAY_RETURN_IF_ERROR(
      library.Find("scipy_openblas_get_corename", &f.get_corename));
  return std::make_unique<OpenBlas>(f, workers);
}

}  // namespace assay::suites
