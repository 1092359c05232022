#include "runtime/device/cpu/cpu_device.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/kernel_image.h"
#include "runtime/device/cpu/workspace.h"

namespace assay::runtime {
namespace {

constexpr int64_t kPage = 4096;
constexpr int64_t kHugePage = int64_t{1} << 21;
// Number of pages among which the beginning of code is drawn.
constexpr int64_t kCodePages = 64;

class CpuKernel : public BoundKernel {
 public:
  CpuKernel(std::string symbol, AssayKernel function,
            std::vector<void*> buffers, const AssayRuntime* runtime)
      : symbol_(std::move(symbol)),
        function_(function),
        buffers_(std::move(buffers)),
        runtime_(runtime) {}

  absl::Status Run() override {
    const int32_t error = function_(buffers_.data(), runtime_);
    if (error == 0) return absl::OkStatus();
    if (error == ASSAY_ERROR_OUT_OF_MEMORY) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "kernel `", symbol_, "` could not allocate its workspace"));
    }
    return absl::InternalError(
        absl::StrCat("kernel `", symbol_, "` returned error ", error));
  }

 private:
  const std::string symbol_;
  const AssayKernel function_;
  const std::vector<void*> buffers_;
  const AssayRuntime* const runtime_;
};

class CpuModule : public Module {
 public:
  CpuModule(std::unique_ptr<KernelImage> code, const AssayRuntime* runtime)
      : code_(std::move(code)), runtime_(runtime) {}

  absl::StatusOr<std::unique_ptr<BoundKernel>> Bind(
      const std::string& symbol, absl::Span<const BufferView> args) override {
    ASSAY_ASSIGN_OR_RETURN(void* const address, code_->Find(symbol));
    std::vector<void*> buffers;
    for (const BufferView& view : args) {
      ASSAY_RETURN_IF_ERROR(CheckView(view));
      buffers.push_back(HostMemoryDevice::Address(view));
    }
    return std::make_unique<CpuKernel>(symbol,
                                       reinterpret_cast<AssayKernel>(address),
                                       std::move(buffers), runtime_);
  }

  KernelCode CodeOf(const std::string& symbol) const override {
    return code_->CodeOf(symbol);
  }

 private:
  std::unique_ptr<KernelImage> code_;
  const AssayRuntime* runtime_;
};

int32_t CallParallelFor(void* context, int32_t extent, AssayParallelBody body,
                        void* closure) {
  return static_cast<ThreadPool*>(context)->ParallelFor(extent, body, closure);
}

void* CallWorkspaceAlloc(void*, int64_t bytes) { return WorkspaceAlloc(bytes); }

void CallWorkspaceFree(void*, void* memory) { WorkspaceFree(memory); }

}  // namespace

absl::StatusOr<std::unique_ptr<CpuDevice>> CpuDevice::Create(int num_threads) {
  ThreadPool::Options options;
  options.num_threads = num_threads;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<ThreadPool> pool,
                         ThreadPool::Create(options));
  return std::unique_ptr<CpuDevice>(new CpuDevice(std::move(pool)));
}

CpuDevice::CpuDevice(std::unique_ptr<ThreadPool> pool)
    : pool_(std::move(pool)),
      runtime_{pool_.get(), CallParallelFor, CallWorkspaceAlloc,
               CallWorkspaceFree} {}

// Frees the workspaces cached by this thread. Those of the workers are freed
// when the workers exit.
CpuDevice::~CpuDevice() { WorkspaceTrim(); }

Placement CpuDevice::placement() const {
  return {kPage, kPage / ASSAY_BUFFER_ALIGNMENT, kHugePage};
}

absl::StatusOr<std::unique_ptr<Module>> CpuDevice::LoadCode(
    absl::string_view code, uint64_t placement_seed) {
  const int64_t offset =
      placement_seed == 0
          ? 0
          : Rng(placement_seed)
                    .UniformInt(
                        0, kCodePages * kPage / ASSAY_BUFFER_ALIGNMENT - 1) *
                ASSAY_BUFFER_ALIGNMENT;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<KernelImage> image,
                         KernelImage::Load(code, offset));
  return std::make_unique<CpuModule>(std::move(image), &runtime_);
}

namespace {

struct FlushClosure {
  char* memory;
  int64_t bytes;
};

// Each chunk touches every cache line of the memory, to evict the private
// caches of the CPU that runs it. Threads write different bytes of a line, so
// there is no data race.
int32_t FlushBody(int32_t begin, int32_t, void* closure) {
  const FlushClosure* c = static_cast<const FlushClosure*>(closure);
  const int64_t lane = begin % ASSAY_BUFFER_ALIGNMENT;
  for (int64_t i = lane; i < c->bytes; i += ASSAY_BUFFER_ALIGNMENT) {
    volatile char* byte = c->memory + i;
    *byte = static_cast<char>(*byte + 1);
  }
  return 0;
}

}  // namespace

absl::Status CpuDevice::FlushCaches(int64_t bytes) {
  if (flush_memory_ == nullptr || flush_memory_->bytes() != bytes) {
    ASSAY_ASSIGN_OR_RETURN(flush_memory_, Allocate(bytes));
  }
  FlushClosure closure = {Address({flush_memory_.get(), 0, bytes}), bytes};
  pool_->ParallelFor(num_threads(), FlushBody, &closure);
  return absl::OkStatus();
}

}  // namespace assay::runtime
