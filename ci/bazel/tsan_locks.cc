// Tells ThreadSanitizer about the locks of Abseil, whose library in the lock of
// packages is not compiled for it. Without this, every use of absl::Mutex looks
// like a race.
//
// tsan_locks.bzl passes the functions to the linker as `--wrap`: a call of F
// from another object then reaches `__wrap_F`, which calls the original as
// `__real_F`. All are member functions; their first argument is the object.
//
// What one thread has released, another one acquires. The condition of a
// waiting thread is evaluated inside of these functions, by any thread that
// holds the lock. ThreadSanitizer does not see that it does, so reads are
// ignored there.
//
// It still does not see the locks of gRPC that are not Abseil's, and the memory
// that gRPC uses again. Tests in which threads of gRPC run have the tag
// `no_tsan`.
#include <cstdint>

#include "absl/time/time.h"

using absl::Duration;
using absl::Time;

extern "C" {

void __tsan_acquire(void* address);
void __tsan_release(void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);

}  // extern "C"

namespace {

class IgnoreReads {
 public:
  IgnoreReads() { AnnotateIgnoreReadsBegin(__FILE__, __LINE__); }
  ~IgnoreReads() { AnnotateIgnoreReadsEnd(__FILE__, __LINE__); }
};

// For functions that return with the lock held.
template <typename Real>
auto Acquiring(void* lock, Real real) {
  struct Acquire {
    ~Acquire() { __tsan_acquire(lock); }
    void* const lock;
  } const acquire{lock};
  const IgnoreReads ignore;
  return real();
}

// For functions that hold the lock if they return true.
template <typename Real>
bool Trying(void* lock, Real real) {
  const bool locked = real();
  if (locked) __tsan_acquire(lock);
  return locked;
}

template <typename Real>
auto Releasing(void* lock, Real real) {
  __tsan_release(lock);
  const IgnoreReads ignore;
  return real();
}

// For functions that give the lock up and get it again.
template <typename Real>
auto Waiting(void* lock, Real real) {
  return Acquiring(lock, [&] { return Releasing(lock, real); });
}

}  // namespace

#define WRAP(result, name, parameters, how, object, arguments)   \
  extern "C" result __real_##name parameters;                    \
  extern "C" result __wrap_##name parameters;                    \
  extern "C" result __wrap_##name parameters {                   \
    return how(object, [&] { return __real_##name arguments; }); \
  }

// Functions of absl::Mutex.
WRAP(void, _ZN4absl7debian35Mutex4LockEv, (void* m), Acquiring, m, (m))
WRAP(void, _ZN4absl7debian35Mutex10ReaderLockEv, (void* m), Acquiring, m, (m))
WRAP(bool, _ZN4absl7debian35Mutex7TryLockEv, (void* m), Trying, m, (m))
WRAP(bool, _ZN4absl7debian35Mutex13ReaderTryLockEv, (void* m), Trying, m, (m))
WRAP(void, _ZN4absl7debian35Mutex6UnlockEv, (void* m), Releasing, m, (m))
WRAP(void, _ZN4absl7debian35Mutex12ReaderUnlockEv, (void* m), Releasing, m, (m))
WRAP(void, _ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE,
     (void* m, const void* c), Acquiring, m, (m, c))
WRAP(void, _ZN4absl7debian35Mutex14ReaderLockWhenERKNS0_9ConditionE,
     (void* m, const void* c), Acquiring, m, (m, c))
WRAP(
    bool,
    _ZN4absl7debian35Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE,
    (void* m, const void* c, Duration d), Acquiring, m, (m, c, d))
WRAP(bool,
     _ZN4absl7debian35Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE,
     (void* m, const void* c, Time t), Acquiring, m, (m, c, t))
WRAP(void, _ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE,
     (void* m, const void* c), Waiting, m, (m, c))
WRAP(bool,
     _ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE,
     (void* m, const void* c, Duration d), Waiting, m, (m, c, d))
WRAP(bool,
     _ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE,
     (void* m, const void* c, Time t), Waiting, m, (m, c, t))

// Functions of absl::CondVar, which get the mutex as an argument.
WRAP(void, _ZN4absl7debian37CondVar4WaitEPNS0_5MutexE, (void* v, void* m),
     Waiting, m, (v, m))
WRAP(bool, _ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE,
     (void* v, void* m, Duration d), Waiting, m, (v, m, d))
WRAP(bool, _ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE,
     (void* v, void* m, Time t), Waiting, m, (v, m, t))

// Functions of absl::Notification.
WRAP(void, _ZN4absl7debian312Notification6NotifyEv, (void* n), Releasing, n,
     (n))
WRAP(void, _ZNK4absl7debian312Notification19WaitForNotificationEv, (void* n),
     Acquiring, n, (n))
WRAP(
    bool,
    _ZNK4absl7debian312Notification30WaitForNotificationWithTimeoutENS0_8DurationE,
    (void* n, Duration d), Trying, n, (n, d))
WRAP(
    bool,
    _ZNK4absl7debian312Notification31WaitForNotificationWithDeadlineENS0_4TimeE,
    (void* n, Time t), Trying, n, (n, t))

// absl::Status counts the copies of an error. The last one deletes it, after
// the others have been used.
extern "C" void __real__ZN4absl7debian36Status15UnrefNonInlinedEm(
    uintptr_t rep);
extern "C" void __wrap__ZN4absl7debian36Status15UnrefNonInlinedEm(
    uintptr_t rep);
extern "C" void __wrap__ZN4absl7debian36Status15UnrefNonInlinedEm(
    uintptr_t rep) {
  void* const counter = reinterpret_cast<void*>(rep);
  __tsan_release(counter);
  __tsan_acquire(counter);
  __real__ZN4absl7debian36Status15UnrefNonInlinedEm(rep);
}
