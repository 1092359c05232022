#include "rpc/server/service/call.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "grpc/support/time.h"
#include "rpc/names/metadata.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMilli = 1'000'000;
// Longer deadlines are cut.
constexpr int64_t kMaxNanos = int64_t{86400} * 1000 * kMilli;

// Time for the answer, of a call with this much time.
int64_t MarginOf(int64_t nanos) {
  return std::min(std::clamp(nanos / 20, 50 * kMilli, 1000 * kMilli),
                  nanos / 4);
}

absl::string_view View(const grpc::Slice& slice) {
  return absl::string_view(reinterpret_cast<const char*>(slice.begin()),
                           slice.size());
}

}  // namespace

absl::StatusOr<Caller> Admit(const grpc::CallbackServerContext& context,
                             LeaseGuard& guard) {
  const auto [begin, end] =
      context.client_metadata().equal_range(kLeaseMetadata);
  if (begin == end || std::next(begin) != end) {
    return absl::UnauthenticatedError(
        absl::StrCat("the call does not have one lease in the metadata `",
                     kLeaseMetadata, "`"));
  }
  const absl::string_view lease(begin->second.data(), begin->second.size());
  Caller caller;
  ASSAY_ASSIGN_OR_RETURN(caller.holder, guard.Check(lease));
  // Of the monotonic clock: gRPC has computed it from the time that is left.
  const gpr_timespec deadline =
      gpr_convert_clock_type(context.raw_deadline(), GPR_CLOCK_MONOTONIC);
  if (gpr_time_cmp(deadline, gpr_inf_future(GPR_CLOCK_MONOTONIC)) == 0) {
    return absl::InvalidArgumentError("the call has no deadline");
  }
  const gpr_timespec left =
      gpr_time_sub(deadline, gpr_now(GPR_CLOCK_MONOTONIC));
  const auto nanos = static_cast<int64_t>(std::clamp(
      gpr_timespec_to_micros(left) * 1e3, 0.0, static_cast<double>(kMaxNanos)));
  caller.deadline_nanos = MonotonicNanos() + nanos - MarginOf(nanos);
  return caller;
}

absl::Status ParseRequest(const grpc::ByteBuffer& bytes, size_t max_bytes,
                          google::protobuf::MessageLite* request) {
  if (bytes.Length() > max_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the request has ", bytes.Length(),
                     " bytes, and the limit is ", max_bytes));
  }
  grpc::Slice slice;
  if (bytes.Length() > 0 && !bytes.DumpToSingleSlice(&slice).ok()) {
    return absl::InternalError("cannot read the request");
  }
  const absl::string_view text = View(slice);
  if (!request->ParseFromArray(text.data(), static_cast<int>(text.size()))) {
    return absl::InvalidArgumentError("the request is not a valid message");
  }
  return absl::OkStatus();
}

grpc::ByteBuffer SerializeAnswer(const google::protobuf::MessageLite& answer) {
  const grpc::Slice slice(answer.SerializeAsString());
  return grpc::ByteBuffer(&slice, 1);
}

void UnaryCall::Fail(const absl::Status& error) { Finish(ToGrpc(error)); }

void UnaryCall::Succeed(const google::protobuf::MessageLite& answer) {
  *answer_ = SerializeAnswer(answer);
  Finish(grpc::Status::OK);
}

}  // namespace assay::rpc
