#include "tests/fuzz/value_mutator.h"

#include <cstring>
#include <iterator>
#include <limits>

namespace assay::fuzz {

using onnx::AttributeProto;
using onnx::TensorProto;

int64_t ValueMutator::Int(int64_t old) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  // Unsigned numbers may overflow.
  const uint64_t bits = static_cast<uint64_t>(old);
  const int64_t values[] = {0,
                            1,
                            -1,
                            2,
                            3,
                            -2,
                            7,
                            255,
                            1000,
                            int64_t{1} << 16,
                            int64_t{1} << 31,
                            int64_t{1} << 32,
                            int64_t{1} << 40,
                            kMost,
                            -kMost - 1,
                            static_cast<int64_t>(bits + 1),
                            static_cast<int64_t>(bits - 1),
                            static_cast<int64_t>(bits * 2),
                            static_cast<int64_t>(0 - bits)};
  return values[Pick(std::size(values))];
}

float ValueMutator::Float(float old) {
  using Limits = std::numeric_limits<float>;
  const float values[] = {0,
                          -0.0f,
                          1,
                          -1,
                          0.5f,
                          Limits::denorm_min(),
                          1e-20f,
                          1e20f,
                          Limits::lowest(),
                          Limits::infinity(),
                          -Limits::infinity(),
                          Limits::quiet_NaN(),
                          -old,
                          old * 2};
  return values[Pick(std::size(values))];
}

std::string ValueMutator::Word(const std::string& old) {
  const std::string values[] = {
      "",       "NOTSET",  "SAME_UPPER",   "VALID",   "linear",
      "cubic",  "reverse", "no such word", kTwoLines, std::string(5000, 'x'),
      old + old};
  return values[Pick(std::size(values))];
}

// Changes the length or an element of a list of numbers. `some` returns a
// number to use in place of another one.
template <typename List, typename Some>
void ValueMutator::ChangeNumbers(List* list, const Some& some) {
  const int kind = Pick(6);
  if (kind == 0 || list->empty()) {
    list->Add(some(list->empty() ? 0 : list->Get(list->size() - 1)));
  } else if (kind == 1) {
    list->RemoveLast();
  } else if (kind == 2) {
    list->Clear();
  } else {
    const int at = Pick(list->size());
    list->Set(at, some(list->Get(at)));
  }
}

template <typename List>
void ValueMutator::ChangeInts(List* list) {
  using T = typename List::value_type;
  ChangeNumbers(list, [this](T old) { return static_cast<T>(Int(old)); });
}

template <typename List>
void ValueMutator::ChangeFloats(List* list) {
  ChangeNumbers(list, [this](float old) { return Float(old); });
}

void ValueMutator::ChangeAttribute(AttributeProto* attribute) {
  switch (attribute->type()) {
    case AttributeProto::FLOAT:
      attribute->set_f(Float(attribute->f()));
      break;
    case AttributeProto::INT:
      attribute->set_i(Int(attribute->i()));
      break;
    case AttributeProto::STRING:
      attribute->set_s(Word(attribute->s()));
      break;
    case AttributeProto::TENSOR:
      (void)ChangeTensor(attribute->mutable_t());
      break;
    case AttributeProto::FLOATS:
      ChangeFloats(attribute->mutable_floats());
      break;
    case AttributeProto::INTS:
      ChangeInts(attribute->mutable_ints());
      break;
    default:
      attribute->set_type(AttributeProto::INT);
      break;
  }
}

std::string ValueMutator::ChangeTensor(TensorProto* tensor) {
  switch (Pick(10)) {
    case 0:
    case 1:
      ChangeInts(tensor->mutable_dims());
      return "the shape";
    case 2:
    case 3:
      tensor->set_data_type(ElementType());
      return "the element type";
    case 4: {
      tensor->set_data_location(TensorProto::EXTERNAL);
      onnx::StringStringEntryProto* const entry = tensor->add_external_data();
      entry->set_key("location");
      entry->set_value("no_such_file");
      return "the place";
    }
    case 5:
    case 6:
      ResizeData(tensor);
      return "the size of the data";
    default:
      ChangeElement(tensor);
      return "an element";
  }
}

// Replaces an element of the raw data, or appends one if there is none.
template <typename T>
void ValueMutator::SetElement(T value, std::string* raw) {
  const size_t count = raw->size() / sizeof(T);
  if (count == 0) raw->append(sizeof(T), '\0');
  const size_t at = count == 0 ? 0 : static_cast<size_t>(Pick(count));
  std::memcpy(&(*raw)[at * sizeof(T)], &value, sizeof(T));
}

void ValueMutator::ResizeData(TensorProto* tensor) {
  if (tensor->float_data_size() > 0) {
    tensor->mutable_float_data()->RemoveLast();
  } else if (tensor->int64_data_size() > 0) {
    tensor->mutable_int64_data()->RemoveLast();
  } else if (tensor->int32_data_size() > 0) {
    tensor->mutable_int32_data()->RemoveLast();
  } else {
    std::string* const raw = tensor->mutable_raw_data();
    if (raw->empty() || Pick(3) == 0) {
      raw->append(static_cast<size_t>(1 + Pick(8)), 'x');
    } else {
      raw->resize(static_cast<size_t>(Pick(raw->size())));
    }
  }
}

void ValueMutator::ChangeElement(TensorProto* tensor) {
  if (tensor->float_data_size() > 0) {
    ChangeFloats(tensor->mutable_float_data());
  } else if (tensor->int64_data_size() > 0) {
    ChangeInts(tensor->mutable_int64_data());
  } else if (tensor->int32_data_size() > 0) {
    ChangeInts(tensor->mutable_int32_data());
  } else if (tensor->data_type() == TensorProto::INT64) {
    SetElement(Int(Pick(100)), tensor->mutable_raw_data());
  } else if (tensor->data_type() == TensorProto::FLOAT) {
    SetElement(Float(1), tensor->mutable_raw_data());
  } else {
    SetElement(static_cast<uint8_t>(Pick(256)), tensor->mutable_raw_data());
  }
}

}  // namespace assay::fuzz
