#include "rpc/tracker/testing/lease_book_fixture.h"

#include <utility>
#include <variant>

#include "gmock/gmock.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/device_list.h"
#include "rpc/tracker/events.h"

namespace assay::rpc::tracker {

LeaseOptions LeaseBookFixture::Options() {
  LeaseOptions options;
  options.lease_nanos = 10 * kSecond;
  options.margin_nanos = 2 * kSecond;
  options.lost_nanos = 5 * kSecond;
  options.detached_nanos = 30 * kSecond;
  options.report_nanos = kSecond;
  options.max_requests = 5;
  options.max_requests_per_user = 3;
  options.max_devices = 3;
  options.token_batch = 100;
  return options;
}

LeaseBookFixture::LeaseBookFixture() : book_(Options()) {
  book_.ConfirmTokens(100);
}

void LeaseBookFixture::At(int64_t seconds) {
  now_ = seconds * kSecond;
  for (const std::string& id : alive_) {
    EXPECT_TRUE(book_.Heartbeat(id, "well", now_).ok()) << id;
  }
}

void LeaseBookFixture::Add(const std::string& id, const std::string& key) {
  const absl::Status status = book_.AddDevice(id, key, now_);
  EXPECT_TRUE(status.ok()) << status;
  alive_.insert(id);
}

absl::Status LeaseBookFixture::Enqueue(const std::string& ticket,
                                       const std::string& user,
                                       const std::string& key,
                                       int64_t priority) {
  return book_.Enqueue({ticket, user, key, priority, 0}, now_ + 1000 * kSecond,
                       now_);
}

void LeaseBookFixture::Ask(const std::string& ticket, const std::string& user,
                           const std::string& key, int64_t priority) {
  const absl::Status status = Enqueue(ticket, user, key, priority);
  EXPECT_TRUE(status.ok()) << status;
}

std::vector<std::string> LeaseBookFixture::AdvanceAll() {
  std::vector<std::string> texts;
  for (const Event& event : book_.Advance(now_)) {
    if (const auto* granted = std::get_if<LeaseGranted>(&event)) {
      leases_[granted->lease.ticket] = granted->lease;
    }
    if (std::holds_alternative<UsageChanged>(event) ||
        std::holds_alternative<TokensWanted>(event)) {
      continue;
    }
    texts.push_back(EventText(event));
  }
  return texts;
}

std::vector<std::string> LeaseBookFixture::Advance() {
  std::vector<std::string> texts;
  for (const std::string& text : AdvanceAll()) {
    for (const char* part :
         {" granted ", " ended", " timed out", " is cancelled"}) {
      if (text.find(part) != std::string::npos) texts.push_back(text);
    }
  }
  return texts;
}

std::vector<int64_t> LeaseBookFixture::TokensWantedNow() {
  std::vector<int64_t> wanted;
  for (const Event& event : book_.Advance(now_)) {
    if (const auto* tokens = std::get_if<TokensWanted>(&event)) {
      wanted.push_back(tokens->until);
    }
  }
  return wanted;
}

absl::StatusOr<Lease> LeaseBookFixture::Renew(const std::string& user,
                                              int64_t token) {
  return book_.Renew(user, token, now_);
}

void LeaseBookFixture::Release(const std::string& user, int64_t token) {
  const absl::Status status = book_.Release(user, token, now_);
  EXPECT_TRUE(status.ok()) << status;
}

std::string LeaseBookFixture::State(const std::string& id) {
  for (const auto& device : book_.Snapshot(now_).devices) {
    if (device.device == id) return std::string(StateName(device.state));
  }
  return "unknown";
}

void LeaseBookFixture::Restart() {
  BookState state = book_.State(now_);
  for (Lease& lease : state.leases) lease.restart_nanos = 0;
  now_ += 7000 * kSecond;
  RestartWith(state);
}

void LeaseBookFixture::RestartNow() { RestartWith(book_.State(now_)); }

void LeaseBookFixture::RestartWith(const BookState& state) {
  absl::StatusOr<LeaseBook> book = LeaseBook::Restore(Options(), state, now_);
  ASSERT_TRUE(book.ok()) << book.status();
  book_ = *std::move(book);
  alive_.clear();
  EXPECT_THAT(TokensWantedNow(),
              ::testing::ElementsAre(state.reserved_tokens + 100));
  book_.ConfirmTokens(state.reserved_tokens + 100);
}

}  // namespace assay::rpc::tracker
