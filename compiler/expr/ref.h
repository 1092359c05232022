// Ref<T>: an intrusive reference-counting pointer to an immutable IR node.
//
// The reference count is atomic, so threads may share nodes. Nodes must not be
// changed after construction. Therefore trees may share subtrees, and a
// transformation shows that a node is unchanged by returning the same pointer
// (Ref::same_as).
#ifndef ASSAY_COMPILER_EXPR_REF_H_
#define ASSAY_COMPILER_EXPR_REF_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

namespace assay::expr {

// Base class of all nodes to which a Ref can point. The destructor is virtual
// because the last Ref deletes the node through a pointer to this class.
class Counted {
 public:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  virtual ~Counted() = default;

  // Returns the object that holds the reference count of this node. This object
  // is deleted when the count becomes 0. A class whose nodes may be owned by
  // another node must hide this function with its own Holder().
  const Counted& Holder() const { return *this; }

 private:
  template <typename T>
  friend class Ref;
  mutable std::atomic<int> count_{0};
};

template <typename T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(const T* node) : node_(node) { Acquire(); }
  Ref(const Ref& other) : node_(other.node_) { Acquire(); }
  Ref(Ref&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  template <typename U>
  Ref(const Ref<U>& other) : node_(other.get()) {  // NOLINT: upcast
    Acquire();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Ref() { Release(); }

  const T* get() const { return node_; }
  const T* operator->() const { return node_; }
  const T& operator*() const { return *node_; }
  bool defined() const { return node_ != nullptr; }
  // Returns true if both Refs point to the same node. The trees are not
  // compared; see structural_equal.h.
  bool same_as(const Ref& other) const { return node_ == other.node_; }
  friend bool operator==(const Ref& a, const Ref& b) = delete;

 private:
  void Acquire() const {
    if (node_ != nullptr) {
      const Counted& holder = node_->Holder();
      holder.count_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  void Release() {
    if (node_ != nullptr) {
      const Counted& holder = node_->Holder();
      if (holder.count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete &holder;
      }
    }
    node_ = nullptr;
  }

  const T* node_ = nullptr;
};

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_REF_H_
