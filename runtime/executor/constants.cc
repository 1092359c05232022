#include "runtime/executor/constants.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "runtime/abi/abi.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

// Position and size in bytes of a parameter in Artifact::params.
using Range = std::pair<int64_t, int64_t>;

Range RangeOf(const TensorInfo& parameter) {
  return {parameter.position, NumBytes(parameter)};
}

int64_t Aligned(int64_t bytes) {
  constexpr int64_t kAlignment = ASSAY_BUFFER_ALIGNMENT;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

// The loaded constants, and what is needed until the setup calls have run.
class Constants::Loader {
 public:
  Loader(const Artifact& artifact, Device* device, const ProgramCode& code,
         const Options& options)
      : artifact_(artifact), device_(device), code_(code), options_(options) {}

  absl::StatusOr<Constants> Load(LargeBytes* params) {
    if (options_.beside != nullptr) loaded_.memory_ = options_.beside->memory_;
    ShareResults();
    FindParams();
    ASSAY_RETURN_IF_ERROR(AllocateResults());
    ASSAY_RETURN_IF_ERROR(RunSetupCalls(params));
    ASSAY_RETURN_IF_ERROR(params == nullptr ? CopyParams()
                                            : TakeParams(std::move(*params)));
    return std::move(loaded_);
  }

 private:
  // Finds the setup calls that have to run, and the results of the others.
  void ShareResults() {
    for (const KernelCall& call : artifact_.setup) {
      const KernelCall* const equal = FindEqualCall(call);
      if (equal == nullptr) own_calls_.push_back(&call);
      for (size_t i = 0; i < call.outputs.size(); ++i) {
        const TensorInfo& result = artifact_.tensors[call.outputs[i]];
        BufferView& view = loaded_.setup_[result.position];
        view.bytes = NumBytes(result);
        if (equal != nullptr) {
          view = options_.beside->ViewOf(
              options_.beside_artifact->tensors[equal->outputs[i]]);
        }
      }
    }
  }

  // Returns the setup call of `beside` with the same results, or null.
  const KernelCall* FindEqualCall(const KernelCall& call) const {
    if (options_.beside_artifact == nullptr) return nullptr;
    const std::string symbol = code_.SharedSymbol(call.symbol);
    for (const KernelCall& other : options_.beside_artifact->setup) {
      if (other.symbol == symbol && AreEqual(call, other)) return &other;
    }
    return nullptr;
  }

  bool AreEqual(const KernelCall& own, const KernelCall& other) const {
    const auto& tensors = artifact_.tensors;
    const auto& others = options_.beside_artifact->tensors;
    return std::equal(own.inputs.begin(), own.inputs.end(),
                      other.inputs.begin(), other.inputs.end(),
                      [&](int32_t i, int32_t j) {
                        return HaveEqualBytes(tensors[i], others[j]);
                      }) &&
           std::equal(own.outputs.begin(), own.outputs.end(),
                      other.outputs.begin(), other.outputs.end(),
                      [&](int32_t i, int32_t j) {
                        return NumBytes(tensors[i]) == NumBytes(others[j]);
                      });
  }

  // Returns true if `own`, which a setup call reads, is known to have the same
  // bytes as `other` of `beside`.
  bool HaveEqualBytes(const TensorInfo& own, const TensorInfo& other) const {
    if (own.location != other.location || NumBytes(own) != NumBytes(other)) {
      return false;
    }
    if (own.location == Location::kParam) {
      return std::memcmp(
                 artifact_.params.data() + own.position,
                 options_.beside_artifact->params.data() + other.position,
                 static_cast<size_t>(NumBytes(own))) == 0;
    }
    // A result that is not shared has no memory yet.
    const BufferView view = loaded_.ViewOf(own);
    const BufferView other_view = options_.beside->ViewOf(other);
    return view.buffer == other_view.buffer && view.offset == other_view.offset;
  }

  // Finds the parameters that remain, those that not only setup calls read.
  void FindParams() {
    std::vector<bool> is_read(artifact_.tensors.size());
    for (const KernelCall& call : artifact_.calls) {
      for (int32_t i : call.inputs) is_read[i] = true;
    }
    for (const TensorInfo& tensor : artifact_.tensors) {
      if (tensor.extent >= 0) is_read[tensor.extent] = true;
    }
    std::vector<bool> is_setup(artifact_.tensors.size());
    for (const KernelCall& call : artifact_.setup) {
      for (int32_t i : call.inputs) is_setup[i] = true;
    }
    for (size_t i = 0; i < artifact_.tensors.size(); ++i) {
      const TensorInfo& tensor = artifact_.tensors[i];
      if (tensor.location == Location::kParam && (is_read[i] || !is_setup[i])) {
        kept_.insert(RangeOf(tensor));
      }
    }
  }

  // Parameters of `beside` are used where they have the same bytes; the others
  // are stored one after another in memory of this program.
  absl::Status CopyParams() {
    std::multimap<int64_t, Range> candidates;  // by size
    if (options_.beside_artifact != nullptr) {
      for (const TensorInfo& tensor : options_.beside_artifact->tensors) {
        if (tensor.location != Location::kParam) continue;
        candidates.emplace(NumBytes(tensor), RangeOf(tensor));
      }
    }
    // Returns the parameter of `beside` with these bytes, or an empty view.
    const auto find_equal = [&](const Range& range) {
      const auto [first, last] = candidates.equal_range(range.second);
      for (auto i = first; i != last; ++i) {
        const auto other = options_.beside->params_.find(i->second);
        if (other != options_.beside->params_.end() &&
            std::memcmp(
                artifact_.params.data() + range.first,
                options_.beside_artifact->params.data() + i->second.first,
                static_cast<size_t>(range.second)) == 0) {
          return other->second;
        }
      }
      return BufferView();
    };
    std::vector<Range> own;
    for (const Range& range : kept_) {
      const BufferView view = find_equal(range);
      if (view.buffer == nullptr) {
        own.push_back(range);
      } else {
        loaded_.params_[range] = view;
      }
    }
    return Copy(own, options_.params_offset);
  }

  absl::Status Copy(const std::vector<Range>& ranges, int64_t offset) {
    if (ranges.empty()) return absl::OkStatus();
    int64_t end = offset;
    for (const Range& range : ranges) {
      loaded_.params_[range] = {nullptr, end, range.second};
      end += Aligned(range.second);
    }
    ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                           device_->Allocate(end));
    for (const Range& range : ranges) {
      BufferView& view = loaded_.params_[range];
      view.buffer = buffer.get();
      ASSAY_RETURN_IF_ERROR(
          device_->CopyIn(artifact_.params.data() + range.first, view));
    }
    loaded_.memory_.push_back(std::move(buffer));
    return absl::OkStatus();
  }

  absl::Status TakeParams(LargeBytes params) {
    ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                           device_->AllocateFilled(std::move(params)));
    for (const auto& [position, bytes] : kept_) {
      loaded_.params_[{position, bytes}] = {buffer.get(), position, bytes};
    }
    loaded_.memory_.push_back(std::move(buffer));
    return absl::OkStatus();
  }

  // Own results are stored one after another, in the order of their positions.
  absl::Status AllocateResults() {
    int64_t end = options_.setup_offset;
    std::vector<BufferView*> own;
    for (auto& [position, view] : loaded_.setup_) {
      if (view.buffer != nullptr) continue;
      view.offset = end;
      end += Aligned(view.bytes);
      own.push_back(&view);
    }
    if (own.empty()) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                           device_->AllocateForWriting(end));
    for (BufferView* view : own) view->buffer = buffer.get();
    loaded_.memory_.push_back(std::move(buffer));
    return absl::OkStatus();
  }

  absl::Status RunSetupCalls(LargeBytes* params) {
    // The parameters that remain or that calls after call i read end here.
    std::vector<int64_t> ends = {0};
    for (const auto& [position, bytes] : kept_) {
      ends[0] = std::max(ends[0], Aligned(position + bytes));
    }
    for (size_t i = own_calls_.size(); i-- > 1;) {
      ends.push_back(std::max(ends.back(), EndOfParams(*own_calls_[i])));
    }
    for (const KernelCall* call : own_calls_) {
      ASSAY_RETURN_IF_ERROR(RunSetupCall(*call));
      if (params == nullptr) continue;
      Shorten(params,
              std::min(params->size(), static_cast<size_t>(ends.back())));
      ends.pop_back();
    }
    return absl::OkStatus();
  }

  int64_t EndOfParams(const KernelCall& call) const {
    int64_t end = 0;
    for (int32_t i : call.inputs) {
      const TensorInfo& tensor = artifact_.tensors[i];
      if (tensor.location != Location::kParam) continue;
      end = std::max(end, Aligned(tensor.position + NumBytes(tensor)));
    }
    return end;
  }

  absl::Status RunSetupCall(const KernelCall& call) {
    std::vector<std::unique_ptr<Buffer>> params;
    std::vector<BufferView> args;
    for (int32_t i : call.inputs) {
      const TensorInfo& tensor = artifact_.tensors[i];
      if (tensor.location != Location::kParam) {
        args.push_back(loaded_.ViewOf(tensor));
        continue;
      }
      const int64_t bytes = NumBytes(tensor);
      ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer,
                             device_->AllocateForWriting(Aligned(bytes)));
      args.push_back({buffer.get(), 0, bytes});
      ASSAY_RETURN_IF_ERROR(device_->CopyIn(
          artifact_.params.data() + tensor.position, args.back()));
      params.push_back(std::move(buffer));
    }
    for (int32_t i : call.outputs) {
      args.push_back(loaded_.ViewOf(artifact_.tensors[i]));
    }
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<BoundKernel> kernel,
                           code_.Bind(call.symbol, args));
    absl::Status status = kernel->Run();
    // Even after an error, a queued kernel must end before its buffers do.
    status.Update(device_->Synchronize());
    return status;
  }

  const Artifact& artifact_;
  Device* const device_;
  const ProgramCode& code_;
  const Options& options_;
  std::vector<const KernelCall*> own_calls_;  // the setup calls that run
  std::set<Range> kept_;
  Constants loaded_;
};

absl::StatusOr<Constants> Constants::Load(const Artifact& artifact,
                                          LargeBytes* params, Device* device,
                                          const ProgramCode& code,
                                          const Options& options) {
  return Loader(artifact, device, code, options).Load(params);
}

BufferView Constants::ViewOf(const TensorInfo& tensor) const {
  const int64_t bytes = NumBytes(tensor);
  if (tensor.location == Location::kParam) {
    return params_.at({tensor.position, bytes});
  }
  const auto& [position, result] =
      *std::prev(setup_.upper_bound(tensor.position));
  return {result.buffer, result.offset + tensor.position - position, bytes};
}

}  // namespace assay::runtime
