#include "runtime/artifact/validate.h"

#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/abi/abi.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

// More memory than any supported machine has, and small enough that sums of
// sizes do not overflow.
constexpr int64_t kMaxBytes = int64_t{1} << 44;

template <typename... Parts>
absl::Status TensorError(const TensorInfo& tensor, const Parts&... parts) {
  return absl::InvalidArgumentError(
      absl::StrCat("tensor `", tensor.name, "` ", parts...));
}

template <typename... Parts>
absl::Status CallError(const KernelCall& call, const Parts&... parts) {
  return absl::InvalidArgumentError(
      absl::StrCat("call of kernel `", call.symbol, "` ", parts...));
}

absl::Status CheckInside(const TensorInfo& t, absl::string_view what,
                         int64_t size) {
  const int64_t bytes = NumBytes(t);
  if (t.position < 0 || bytes > size || t.position > size - bytes) {
    return TensorError(t, "has ", bytes, " bytes at offset ", t.position,
                       ", outside the ", what, " of ", size, " bytes");
  }
  if (t.position % ASSAY_BUFFER_ALIGNMENT != 0) {
    return TensorError(t, "is at the unaligned offset ", t.position, " of the ",
                       what);
  }
  return absl::OkStatus();
}

absl::Status CheckBound(const Artifact& artifact, const TensorInfo& t) {
  if (t.axis == -1 && t.extent == -1) return absl::OkStatus();
  const auto num_tensors = static_cast<int64_t>(artifact.tensors.size());
  if (t.location != Location::kOutput || t.axis < 0 ||
      t.axis >= static_cast<int64_t>(t.shape.size()) || t.extent < 0 ||
      t.extent >= num_tensors) {
    return TensorError(t, "has a dynamic dimension ", t.axis,
                       " with its extent in tensor number ", t.extent,
                       "; only an axis of a model output can be dynamic");
  }
  const TensorInfo& extent = artifact.tensors[t.extent];
  if (extent.dtype != DType::Int64() || NumElements(extent.shape) != 1) {
    return TensorError(t, "has its extent in `", extent.name,
                       "`, which is not a single int64");
  }
  return absl::OkStatus();
}

absl::Status CheckTensor(const Artifact& artifact, const TensorInfo& t) {
  if (!t.dtype.is_scalar()) {
    return TensorError(t, "has the vector type ", t.dtype.ToString());
  }
  const absl::StatusOr<int64_t> elements = CheckedNumElements(t.shape);
  if (!elements.ok()) return TensorError(t, elements.status().message());
  switch (t.location) {
    case Location::kInput:
    case Location::kOutput:
      return absl::OkStatus();  // see CheckNumbering
    case Location::kParam:
      return CheckInside(t, "parameters",
                         static_cast<int64_t>(artifact.params.size()));
    case Location::kArena:
      return CheckInside(t, "arena", artifact.arena_bytes);
    case Location::kSetup:
      if (*elements == 0) {
        return TensorError(t, "is in the setup memory, but is empty");
      }
      return CheckInside(t, "setup memory", artifact.setup_bytes);
  }
  return TensorError(t, "has an unknown location");
}

// Checks that inputs or outputs are numbered 0, 1, … and have unique names.
absl::Status CheckNumbering(const Artifact& artifact, Location location,
                            absl::string_view what) {
  std::set<std::string> names;
  std::set<int64_t> positions;
  for (const TensorInfo& t : artifact.tensors) {
    if (t.location != location) continue;
    if (t.name.empty() || !names.insert(t.name).second) {
      return TensorError(t, "does not have a unique name as a model ", what);
    }
    if (!positions.insert(t.position).second) {
      return TensorError(t, "is a second model ", what, " number ", t.position);
    }
  }
  const int64_t count = static_cast<int64_t>(positions.size());
  if (count > 0 &&
      (*positions.begin() != 0 || *positions.rbegin() != count - 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the ", count, " model ", what, "s are not numbered 0 to ", count - 1));
  }
  return absl::OkStatus();
}

// Returns true if the tensors have a byte in common.
bool Overlap(const TensorInfo& a, const TensorInfo& b) {
  const int64_t a_bytes = NumBytes(a);
  const int64_t b_bytes = NumBytes(b);
  if (a.location != b.location || a_bytes == 0 || b_bytes == 0) return false;
  if (a.location == Location::kInput || a.location == Location::kOutput) {
    return a.position == b.position;
  }
  return a.position < b.position + b_bytes && b.position < a.position + a_bytes;
}

// Checks the arguments of a call that is a setup call if `is_setup` is true.
absl::Status CheckArguments(const Artifact& artifact, const KernelCall& call,
                            bool is_setup) {
  std::vector<int32_t> args = call.inputs;
  args.insert(args.end(), call.outputs.begin(), call.outputs.end());
  const int64_t num_tensors = static_cast<int64_t>(artifact.tensors.size());
  for (int32_t index : args) {
    if (index < 0 || index >= num_tensors) {
      return CallError(call, "refers to tensor number ", index, " of ",
                       num_tensors);
    }
  }
  for (int32_t index : call.inputs) {
    const TensorInfo& input = artifact.tensors[index];
    if (is_setup && input.location != Location::kParam &&
        input.location != Location::kSetup) {
      return CallError(call, "is a setup call and reads `", input.name,
                       "`, which has no value when the artifact is loaded");
    }
  }
  for (size_t i = call.inputs.size(); i < args.size(); ++i) {
    const TensorInfo& output = artifact.tensors[args[i]];
    if (is_setup && output.location != Location::kSetup) {
      return CallError(call, "is a setup call and writes `", output.name,
                       "`, which is not in the setup memory");
    }
    if (output.location == Location::kInput ||
        output.location == Location::kParam ||
        (output.location == Location::kSetup && !is_setup)) {
      return CallError(call, "writes the read-only tensor `", output.name, "`");
    }
    for (size_t j = 0; j < i; ++j) {
      const TensorInfo& other = artifact.tensors[args[j]];
      if (Overlap(output, other)) {
        return CallError(call, "writes `", output.name, "` over its argument `",
                         other.name, "`");
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCall(const Artifact& artifact, const KernelCall& call,
                       bool is_setup) {
  if (call.symbol.empty()) {
    return absl::InvalidArgumentError("a call has no kernel name");
  }
  if (call.flops < 0 || call.bytes < 0) {
    return CallError(call, "has a negative number of operations or bytes");
  }
  return CheckArguments(artifact, call, is_setup);
}

// The initialised bytes of the arena, as disjoint intervals begin -> end, one
// per tensor written. Overwriting a part of a tensor invalidates all of it.
class ValidBytes {
 public:
  void Write(int64_t begin, int64_t end) {
    if (begin == end) return;
    auto it = intervals_.upper_bound(begin);
    if (it != intervals_.begin() && std::prev(it)->second > begin) --it;
    while (it != intervals_.end() && it->first < end) {
      it = intervals_.erase(it);
    }
    intervals_[begin] = end;
  }

  bool Holds(int64_t begin, int64_t end) const {
    while (begin < end) {
      auto it = intervals_.upper_bound(begin);
      if (it == intervals_.begin() || std::prev(it)->second <= begin) {
        return false;
      }
      begin = std::prev(it)->second;
    }
    return true;
  }

 private:
  std::map<int64_t, int64_t> intervals_;
};

// The results of setup calls, as disjoint intervals begin -> end.
class SetupResults {
 public:
  // Returns false if the tensor overlaps a result.
  bool Add(const TensorInfo& t) {
    const int64_t end = t.position + NumBytes(t);
    const auto next = results_.lower_bound(t.position);
    if (next != results_.end() && next->first < end) return false;
    if (next != results_.begin() && std::prev(next)->second > t.position) {
      return false;
    }
    results_[t.position] = end;
    return true;
  }

  // Returns true if the tensor lies within one result.
  bool Holds(const TensorInfo& t) const {
    const auto next = results_.upper_bound(t.position);
    return next != results_.begin() &&
           std::prev(next)->second >= t.position + NumBytes(t);
  }

 private:
  std::map<int64_t, int64_t> results_;
};

// Checks that setup calls write every byte once, before they read it.
absl::Status CheckSetup(const Artifact& artifact, SetupResults* results) {
  for (const KernelCall& call : artifact.setup) {
    for (int32_t index : call.inputs) {
      const TensorInfo& t = artifact.tensors[index];
      if (t.location == Location::kSetup && !results->Holds(t)) {
        return CallError(call, "reads `", t.name,
                         "`, which is not within one result of an earlier "
                         "setup call");
      }
    }
    for (int32_t index : call.outputs) {
      const TensorInfo& t = artifact.tensors[index];
      if (!results->Add(t)) {
        return CallError(call, "writes `", t.name,
                         "` over the result of another setup call");
      }
    }
  }
  return absl::OkStatus();
}

// Checks that every tensor is written before it is read and not overwritten in
// between.
absl::Status CheckDataFlow(const Artifact& artifact) {
  SetupResults setup;
  ASSAY_RETURN_IF_ERROR(CheckSetup(artifact, &setup));
  ValidBytes arena;
  std::set<int64_t> outputs_written;
  for (const KernelCall& call : artifact.calls) {
    for (int32_t index : call.inputs) {
      const TensorInfo& t = artifact.tensors[index];
      if (t.location == Location::kSetup && !setup.Holds(t)) {
        return CallError(call, "reads `", t.name,
                         "`, which is not within one result of a setup call");
      }
      const bool valid = t.location == Location::kArena
                             ? arena.Holds(t.position, t.position + NumBytes(t))
                             : t.location != Location::kOutput ||
                                   outputs_written.count(t.position) > 0;
      if (!valid) {
        return CallError(call, "reads `", t.name,
                         "` before it is written or after it is overwritten");
      }
    }
    for (int32_t index : call.outputs) {
      const TensorInfo& t = artifact.tensors[index];
      if (t.location == Location::kArena) {
        arena.Write(t.position, t.position + NumBytes(t));
      } else {
        outputs_written.insert(t.position);
      }
    }
  }
  for (const TensorInfo& t : artifact.tensors) {
    if (t.location == Location::kOutput && NumBytes(t) > 0 &&
        outputs_written.count(t.position) == 0) {
      return TensorError(t, "is a model output that no call writes");
    }
    if (t.extent < 0) continue;
    const TensorInfo& extent = artifact.tensors[t.extent];
    if ((extent.location == Location::kArena &&
         !arena.Holds(extent.position, extent.position + NumBytes(extent))) ||
        (extent.location == Location::kSetup && !setup.Holds(extent))) {
      return TensorError(t, "has its extent in `", extent.name,
                         "`, which has no value after the run");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Validate(const Artifact& artifact) {
  if (artifact.arena_bytes < 0 || artifact.arena_bytes > kMaxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the arena cannot have ", artifact.arena_bytes, " bytes"));
  }
  if (artifact.setup_bytes < 0 || artifact.setup_bytes > kMaxBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the setup memory cannot have ", artifact.setup_bytes, " bytes"));
  }
  if (artifact.tensors.size() > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError("there are too many tensors");
  }
  for (const TensorInfo& t : artifact.tensors) {
    ASSAY_RETURN_IF_ERROR(CheckTensor(artifact, t));
  }
  for (const TensorInfo& t : artifact.tensors) {
    ASSAY_RETURN_IF_ERROR(CheckBound(artifact, t));
  }
  ASSAY_RETURN_IF_ERROR(CheckNumbering(artifact, Location::kInput, "input"));
  ASSAY_RETURN_IF_ERROR(CheckNumbering(artifact, Location::kOutput, "output"));
  for (const KernelCall& call : artifact.setup) {
    ASSAY_RETURN_IF_ERROR(CheckCall(artifact, call, /*is_setup=*/true));
  }
  for (const KernelCall& call : artifact.calls) {
    ASSAY_RETURN_IF_ERROR(CheckCall(artifact, call, /*is_setup=*/false));
  }
  if (artifact.calls.size() + artifact.setup.size() > 0 &&
      artifact.code.empty()) {
    return absl::InvalidArgumentError("there are calls but no code");
  }
  if (!artifact.code.empty() && artifact.code_kind.empty()) {
    return absl::InvalidArgumentError("the code has no kind");
  }
  return CheckDataFlow(artifact);
}

}  // namespace assay::runtime
