#include "rpc/program/connection_table.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace assay::rpc {
namespace {

constexpr int kMostConnections = 8'192;
constexpr int kLeastConnections = 8;
// Files that are kept for other purposes: at least so many, and this part.
constexpr int kReservedFiles = 64;
constexpr int kReservedPart = 4;
constexpr size_t kIpv6PrefixBytes = 8;

}  // namespace

ConnectionLimits LimitsForFiles(int max_files) {
  ConnectionLimits limits;
  const int reserved = std::max(kReservedFiles, max_files / kReservedPart);
  limits.max_open = static_cast<size_t>(
      std::clamp(max_files - reserved, kLeastConnections, kMostConnections));
  limits.max_anonymous = std::min(limits.max_anonymous, limits.max_open / 2);
  limits.max_anonymous_per_source =
      std::min(limits.max_anonymous_per_source, (limits.max_anonymous + 1) / 2);
  return limits;
}

std::string NormalPeer(absl::string_view peer) {
  if (!absl::StartsWith(peer, "ipv6:")) return std::string(peer);
  std::string normal =
      absl::StrReplaceAll(peer, {{"%5B", "["}, {"%5D", "]"}, {"%25", "%"}});
  // Without the zone of a link-local address.
  const size_t zone = normal.find('%');
  const size_t end = normal.find(']');
  if (zone < end && end != std::string::npos) normal.erase(zone, end - zone);
  return normal;
}

std::string SourceOf(absl::string_view peer) {
  const std::string normal = NormalPeer(peer);
  absl::string_view host = normal;
  host = host.substr(0, host.rfind(':'));
  if (!absl::ConsumePrefix(&host, "ipv6:[")) return std::string(host);
  const std::string text(absl::StripSuffix(host, "]"));
  in6_addr address = {};
  if (inet_pton(AF_INET6, text.c_str(), &address) != 1) return text;
  return absl::StrCat("ipv6:",
                      absl::string_view(reinterpret_cast<const char*>(&address),
                                        kIpv6PrefixBytes));
}

void ConnectionTable::ForgetAnonymous(int64_t id,
                                      const Connection& connection) {
  if (all_anonymous_.erase(id) == 0) return;
  const auto of_source = anonymous_.find(connection.source);
  of_source->second.erase(id);
  if (of_source->second.empty()) anonymous_.erase(of_source);
}

void ConnectionTable::Know(absl::string_view peer) {
  const std::string normal = NormalPeer(peer);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_peer_.find(normal);
  if (found == by_peer_.end()) return;
  Connection& connection = connections_.at(found->second);
  if (!connection.anonymous) return;
  connection.anonymous = false;
  ForgetAnonymous(found->second, connection);
}

void ConnectionTable::Expect(const std::string& peer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  expected_.insert(NormalPeer(peer));
}

int64_t ConnectionTable::Close(int64_t id) {
  Connection& connection = connections_.at(id);
  connection.closing = true;
  ForgetAnonymous(id, connection);
  --open_;
  return id;
}

std::string ConnectionTable::LargestSource() const {
  const auto larger = [](const auto& a, const auto& b) {
    // If two are equal, the one with the older connection.
    return a.second.size() != b.second.size()
               ? a.second.size() < b.second.size()
               : *a.second.begin() > *b.second.begin();
  };
  const auto largest =
      std::max_element(anonymous_.begin(), anonymous_.end(), larger);
  return largest == anonymous_.end() ? "" : largest->first;
}

ConnectionTable::Decision ConnectionTable::Add(int64_t id,
                                               const std::string& peer,
                                               int64_t now_nanos) {
  Connection connection;
  connection.peer = NormalPeer(peer);
  connection.source = SourceOf(peer);
  connection.since_nanos = now_nanos;
  Decision decision;
  const std::lock_guard<std::mutex> lock(mutex_);
  connection.anonymous = expected_.erase(connection.peer) == 0;
  const auto of_source = anonymous_.find(connection.source);
  if (connection.anonymous && of_source != anonymous_.end() &&
      of_source->second.size() >= limits_.max_anonymous_per_source) {
    decision.to_close.push_back(Close(*of_source->second.begin()));
  }
  const bool many_anonymous =
      connection.anonymous && all_anonymous_.size() >= limits_.max_anonymous;
  if (many_anonymous || open_ >= limits_.max_open) {
    const std::string source = LargestSource();
    if (!source.empty()) {
      decision.to_close.push_back(Close(*anonymous_.at(source).begin()));
    }
  }
  if (open_ >= limits_.max_open && connection.anonymous) return decision;
  decision.admitted = true;
  ++open_;
  by_peer_[connection.peer] = id;
  if (connection.anonymous) {
    all_anonymous_.insert(id);
    anonymous_[connection.source].insert(id);
  }
  connections_[id] = std::move(connection);
  return decision;
}

std::vector<int64_t> ConnectionTable::Expire(int64_t now_nanos) {
  std::vector<int64_t> expired;
  if (limits_.anonymous_nanos == 0) return expired;
  const std::lock_guard<std::mutex> lock(mutex_);
  while (!all_anonymous_.empty()) {
    const int64_t oldest = *all_anonymous_.begin();
    if (now_nanos - connections_.at(oldest).since_nanos <
        limits_.anonymous_nanos) {
      break;
    }
    expired.push_back(Close(oldest));
  }
  return expired;
}

std::vector<int64_t> ConnectionTable::Evict() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string source = LargestSource();
  if (source.empty()) return {};
  return {Close(*anonymous_.at(source).begin())};
}

void ConnectionTable::Remove(int64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  const Connection& connection = found->second;
  if (!connection.closing) {
    ForgetAnonymous(id, connection);
    --open_;
  }
  // The peer may have a newer connection already.
  const auto peer = by_peer_.find(connection.peer);
  if (peer != by_peer_.end() && peer->second == id) by_peer_.erase(peer);
  connections_.erase(found);
}

size_t ConnectionTable::open() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return open_;
}

size_t ConnectionTable::anonymous() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return all_anonymous_.size();
}

}  // namespace assay::rpc
