#include "rpc/tracker/request_queue.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "runtime/base/check.h"

namespace assay::rpc::tracker {

RequestQueue::Entry& RequestQueue::Add(Request request, int64_t deadline_nanos,
                                       bool attached) {
  if (request.order == 0) request.order = last_order_ + 1;
  last_order_ = std::max(last_order_, request.order);
  const auto [place, is_new] = entries_.try_emplace(request.order);
  CHECK(is_new) << request.order;
  Entry& entry = place->second;
  CHECK(by_ticket_.emplace(request.ticket, &entry).second) << request.ticket;
  entry.request = std::move(request);
  entry.attached = attached;
  entry.deadline_nanos = deadline_nanos;
  deadlines_.emplace(deadline_nanos, entry.request.order);
  ++size_of_user_[entry.request.user];
  if (attached) AddToLine(entry);
  return entry;
}

void RequestQueue::Attach(Entry& entry, int64_t deadline_nanos) {
  SetDeadline(entry, deadline_nanos);
  entry.place = 0;
  if (entry.attached) return;
  entry.attached = true;
  AddToLine(entry);
}

void RequestQueue::Detach(Entry& entry, int64_t deadline_nanos) {
  SetDeadline(entry, deadline_nanos);
  if (!entry.attached) return;
  entry.attached = false;
  RemoveFromLine(entry);
}

void RequestQueue::Remove(Entry& entry) {
  if (entry.attached) RemoveFromLine(entry);
  const auto user = size_of_user_.find(entry.request.user);
  if (--user->second == 0) size_of_user_.erase(user);
  deadlines_.erase({entry.deadline_nanos, entry.request.order});
  by_ticket_.erase(entry.request.ticket);
  const int64_t order = entry.request.order;
  entries_.erase(order);
}

RequestQueue::Entry* RequestQueue::Find(const std::string& ticket) {
  const auto found = by_ticket_.find(ticket);
  return found == by_ticket_.end() ? nullptr : found->second;
}

RequestQueue::Entry* RequestQueue::Next(const std::string& key,
                                        UsageWindow& usage, int64_t now) {
  const auto priorities = lines_.find(key);
  if (priorities == lines_.end()) return nullptr;
  Entry* next = nullptr;
  int64_t least_use = 0;
  for (const auto& [user, line] : priorities->second.begin()->second) {
    const auto& [order, entry] = *line.begin();
    const int64_t use = usage.Nanos(user, now);
    if (next == nullptr ||
        std::tie(use, order) < std::tie(least_use, next->request.order)) {
      next = entry;
      least_use = use;
    }
  }
  return next;
}

std::vector<RequestQueue::Entry*> RequestQueue::InOrder(
    const std::string& key, UsageWindow& usage, int64_t mean_lease_nanos,
    int64_t now) {
  std::vector<Entry*> entries;
  const auto priorities = lines_.find(key);
  if (priorities == lines_.end()) return entries;
  for (const auto& [priority, lines] : priorities->second) {
    std::vector<std::tuple<int64_t, int64_t, Entry*>> by_use;
    for (const auto& [user, line] : lines) {
      int64_t use = usage.Nanos(user, now);
      for (const auto& [order, entry] : line) {
        by_use.emplace_back(use, order, entry);
        use += mean_lease_nanos;
      }
    }
    std::sort(by_use.begin(), by_use.end());
    for (const auto& [use, order, entry] : by_use) entries.push_back(entry);
  }
  return entries;
}

RequestQueue::Entry* RequestQueue::FirstDue(int64_t now) {
  if (NextDeadlineNanos() > now || deadlines_.empty()) return nullptr;
  return &entries_.at(deadlines_.begin()->second);
}

int64_t RequestQueue::NextDeadlineNanos() const {
  return deadlines_.empty() ? std::numeric_limits<int64_t>::max()
                            : deadlines_.begin()->first;
}

int64_t RequestQueue::SizeOfUser(const std::string& user) const {
  const auto found = size_of_user_.find(user);
  return found == size_of_user_.end() ? 0 : found->second;
}

bool RequestQueue::HasAttached(const std::string& key) const {
  return lines_.count(key) > 0;
}

std::vector<std::string> RequestQueue::AttachedKeys() const {
  std::vector<std::string> keys;
  for (const auto& [key, priorities] : lines_) keys.push_back(key);
  return keys;
}

void RequestQueue::AddToLine(Entry& entry) {
  const Request& request = entry.request;
  lines_[request.key][request.priority][request.user][request.order] = &entry;
}

void RequestQueue::RemoveFromLine(const Entry& entry) {
  const Request& request = entry.request;
  const auto priorities = lines_.find(request.key);
  const auto lines = priorities->second.find(request.priority);
  const auto line = lines->second.find(request.user);
  line->second.erase(request.order);
  if (!line->second.empty()) return;
  lines->second.erase(line);
  if (!lines->second.empty()) return;
  priorities->second.erase(lines);
  if (!priorities->second.empty()) return;
  lines_.erase(priorities);
}

void RequestQueue::SetDeadline(Entry& entry, int64_t deadline_nanos) {
  deadlines_.erase({entry.deadline_nanos, entry.request.order});
  entry.deadline_nanos = deadline_nanos;
  deadlines_.emplace(deadline_nanos, entry.request.order);
}

}  // namespace assay::rpc::tracker
