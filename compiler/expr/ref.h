// Ref<T>: the intrusive reference-counting pointer to immutable IR nodes.
//
// The count is atomic, so nodes may be shared between compiler threads. Nodes
// never change after construction. Therefore subtrees can be shared, and "same
// pointer" means "unchanged" (Ref::same_as) in every mutator.
#ifndef ASSAY_COMPILER_EXPR_REF_H_
#define ASSAY_COMPILER_EXPR_REF_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

namespace assay::expr {

// Base class of everything a Ref can point to. Polymorphic because the last Ref
// deletes the node through this class.
class Counted {
 public:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  virtual ~Counted() = default;

  // The object that holds the reference count of this node and is deleted with
  // the last reference. A node that is owned by another one hides this function
  // with its own.
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
  // Identity, not structural equality.
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
