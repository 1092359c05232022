// ValueMutator: draws unusual numbers, words and element types, and replaces
// attributes and elements of tensors by them.
#ifndef ASSAY_TESTS_FUZZ_VALUE_MUTATOR_H_
#define ASSAY_TESTS_FUZZ_VALUE_MUTATOR_H_

#include <cstdint>
#include <string>

#include "onnx/onnx.pb.h"
#include "runtime/base/random.h"

namespace assay::fuzz {

// A name with a line break, which error messages must not print.
constexpr char kTwoLines[] = "line\nbreak";

class ValueMutator {
 public:
  // `rng` must outlive this object.
  explicit ValueMutator(Rng& rng) : rng_(rng) {}

  // Returns an integer in [0, count). Requires 1 <= count < 2^31.
  int Pick(int64_t count) {
    return static_cast<int>(rng_.UniformInt(0, count - 1));
  }

  // The next functions return a value to use in place of `old`: a neighbour of
  // `old`, zero, a negative or a huge number, or another word.
  int64_t Int(int64_t old);
  float Float(float old);
  std::string Word(const std::string& old);
  // Returns a value of TensorProto::DataType, or a number that is none.
  int32_t ElementType() { return Pick(8) == 0 ? 99 : Pick(24); }

  // Changes the value of an attribute. An attribute that has neither numbers
  // nor a word nor a tensor gets the type INT.
  void ChangeAttribute(onnx::AttributeProto* attribute);

  // Changes the shape, the type, the place or the data of a tensor. Returns
  // which of them was changed, for example "the shape".
  std::string ChangeTensor(onnx::TensorProto* tensor);

 private:
  template <typename List, typename Some>
  void ChangeNumbers(List* list, const Some& some);
  template <typename List>
  void ChangeInts(List* list);
  template <typename List>
  void ChangeFloats(List* list);
  template <typename T>
  void SetElement(T value, std::string* raw);
  void ResizeData(onnx::TensorProto* tensor);
  void ChangeElement(onnx::TensorProto* tensor);

  Rng& rng_;
};

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_VALUE_MUTATOR_H_
