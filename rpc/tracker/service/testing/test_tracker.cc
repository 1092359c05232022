#include "rpc/tracker/service/testing/test_tracker.h"

#include <utility>

#include "absl/status/status.h"
#include "rpc/tracker/service/testing/test_callers.h"
#include "runtime/base/check.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

}  // namespace

TrackerService::Options TestTracker::ShortTimes() {
  TrackerService::Options options;
  options.lease.lease_nanos = 1000 * kMillisecond;
  options.lease.margin_nanos = 100 * kMillisecond;
  options.lease.lost_nanos = 2000 * kMillisecond;
  options.lease.report_nanos = 20 * kMillisecond;
  return options;
}

TestTracker::TestTracker(const TrackerService::Options& options)
    : dir_(*TempDir::Create()),
      log_file_(fopen(JoinPath(dir_.path(), "log").c_str(), "w")),
      log_(log_file_, "tracker") {
  WriteTokens(tokens_path());
  tokens_ = *TokenFile::Open(tokens_path());
  TrackerService::Options complete = options;
  complete.state = JoinPath(dir_.path(), "state");
  complete.tokens = tokens_.get();
  complete.log = &log_;
  complete.fail = [](const absl::Status& status) {
    CHECK(false) << std::string(status.message());
  };
  service_ = *TrackerService::Create(complete);
  ListenOptions listen;
  listen.address = "127.0.0.1:0";
  listen.transport.plain_text = true;
  listener_ = *Listener::Start(listen, {service_.get()});
}

TestTracker::~TestTracker() {
  service_->Stop();
  listener_->Stop(/*grace_nanos=*/kMillisecond);
  listener_ = nullptr;
  service_ = nullptr;
  fclose(log_file_);
}

std::string TestTracker::tokens_path() const {
  return JoinPath(dir_.path(), "tokens");
}

}  // namespace assay::rpc
