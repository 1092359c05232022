#include "rpc/client/testing/fake_tracker.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "rpc/transport/status.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

void FakeTracker::Start(const std::string& address) {
  auto listener =
      Listener::Start({address, Transport{"", /*plain_text=*/true}}, {this});
  CHECK(listener.ok()) << listener.status();
  listener_ = *std::move(listener);
  address_ = absl::StrCat("127.0.0.1:", listener_->port());
}

ClientOptions FakeTracker::Options() const {
  ClientOptions options;
  options.tracker = {address_, ""};
  options.transport.plain_text = true;
  options.token = std::string(64, 'u');
  return options;
}

bool FakeTracker::WaitUntil(
    const std::function<bool(const Script&)>& condition) const {
  const auto holds = [&] { return condition(script_); };
  const absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithTimeout(absl::Condition(&holds), absl::Seconds(10));
}

Lease FakeTracker::NewLease(int64_t token, int64_t renewals) const {
  LeaseTerms terms;
  terms.set_device(script_.device);
  terms.set_key(script_.key);
  terms.set_user("anna");
  terms.set_token(token);
  terms.set_renewals(renewals);
  terms.set_seconds(script_.lease_seconds);
  Lease lease;
  lease.set_terms(terms.SerializeAsString());
  lease.set_signature("signature");
  lease.set_address(script_.address);
  lease.mutable_facts()->set_fingerprint(script_.fingerprint);
  lease.mutable_facts()->set_emulated(script_.emulated);
  return lease;
}

grpc::Status FakeTracker::Acquire(grpc::ServerContext* context,
                                  const AcquireRequest* request,
                                  grpc::ServerWriter<AcquireAnswer>* writer) {
  std::vector<Place> places;
  absl::Status end;
  bool never_free = false;
  AcquireAnswer answer;
  {
    const absl::MutexLock lock(&mutex_);
    script_.tickets.push_back(request->ticket());
    script_.waits.push_back(request->wait_seconds());
    const auto found = context->client_metadata().find("authorization");
    if (found != context->client_metadata().end()) {
      script_.authorization.assign(found->second.data(), found->second.size());
    }
    places = script_.places;
    never_free = script_.never_free;
    if (request->key() != script_.key) {
      end = absl::NotFoundError(absl::StrCat("no device has the key `",
                                             request->key(), "`; there are `",
                                             script_.key, "`"));
    } else if (!script_.acquire.empty()) {
      end = script_.acquire.front();
      script_.acquire.pop_front();
    } else if (!never_free) {
      *answer.mutable_lease() = NewLease(++script_.tokens, 0);
    }
  }
  for (Place& place : places) {
    AcquireAnswer queued;
    place.set_ticket(request->ticket());
    *queued.mutable_place() = place;
    writer->Write(queued);
  }
  while (end.ok() && never_free && !context->IsCancelled()) {
    Clock::Monotonic()->SleepNanos(1'000'000);
  }
  if (end.ok() && !never_free) writer->Write(answer);
  return ToGrpc(end);
}

grpc::Status FakeTracker::Withdraw(grpc::ServerContext*,
                                   const WithdrawRequest* request,
                                   WithdrawAnswer*) {
  const absl::MutexLock lock(&mutex_);
  script_.withdrawn.insert(request->ticket());
  return grpc::Status::OK;
}

grpc::Status FakeTracker::Renew(grpc::ServerContext*, const LeaseName* request,
                                Lease* answer) {
  const absl::MutexLock lock(&mutex_);
  ++script_.renewals;
  if (!script_.renew.ok()) return ToGrpc(script_.renew);
  if (request->token() <= script_.ended_token) {
    return ToGrpc(absl::AbortedError(script_.ended_reason));
  }
  *answer = NewLease(request->token(), script_.renewals);
  return grpc::Status::OK;
}

grpc::Status FakeTracker::Release(grpc::ServerContext*,
                                  const LeaseName* request, ReleaseAnswer*) {
  const absl::MutexLock lock(&mutex_);
  script_.released.insert(request->token());
  return grpc::Status::OK;
}

}  // namespace assay::rpc
