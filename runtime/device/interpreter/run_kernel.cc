#include "runtime/device/interpreter/run_kernel.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/half.h"
#include "runtime/base/round_to_odd.h"

namespace assay::runtime {
namespace {

union Value {
  int64_t i;
  double f;
};

Value OfInt(int64_t i) {
  Value v;
  v.i = i;
  return v;
}

Value OfFloat(double f) {
  Value v;
  v.f = f;
  return v;
}

// The value of an integer type that is congruent to `value`; bool: 0 or 1.
int64_t Wrap(DType type, uint64_t value) {
  if (type.is_bool()) return value != 0;
  switch (type.bits()) {
    case 8:
      return type.is_int() ? int64_t{static_cast<int8_t>(value)}
                           : int64_t{static_cast<uint8_t>(value)};
    case 16:
      return type.is_int() ? int64_t{static_cast<int16_t>(value)}
                           : int64_t{static_cast<uint16_t>(value)};
    case 32:
      return type.is_int() ? int64_t{static_cast<int32_t>(value)}
                           : int64_t{static_cast<uint32_t>(value)};
    default:
      return static_cast<int64_t>(value);
  }
}

uint16_t ToHalf(DType type, double value) {
  return type.code() == DType::Code::kBFloat ? DoubleToBFloat16(value)
                                             : DoubleToHalf(value);
}

float OfHalf(DType type, uint16_t bits) {
  return type.code() == DType::Code::kBFloat ? BFloat16ToFloat(bits)
                                             : HalfToFloat(bits);
}

double Round(DType type, double value) {
  if (type.bits() == 64) return value;
  if (type.bits() == 32) return static_cast<float>(value);
  return OfHalf(type, ToHalf(type, value));
}

// The bits of a value in memory, in the lowest bytes, and back.
uint64_t BitsOf(DType type, Value v) {
  if (!type.is_float()) return static_cast<uint64_t>(v.i);
  if (type.bits() == 16) return ToHalf(type, v.f);
  if (type.bits() == 32) {
    const float single = static_cast<float>(v.f);
    uint32_t bits;
    std::memcpy(&bits, &single, sizeof(bits));
    return bits;
  }
  uint64_t bits;
  std::memcpy(&bits, &v.f, sizeof(bits));
  return bits;
}

Value OfBits(DType type, uint64_t bits) {
  if (!type.is_float()) return OfInt(Wrap(type, bits));
  if (type.bits() == 64) {
    double value;
    std::memcpy(&value, &bits, sizeof(double));
    return OfFloat(value);
  }
  if (type.bits() == 32) {
    const auto word = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &word, sizeof(float));
    return OfFloat(value);
  }
  return OfFloat(OfHalf(type, static_cast<uint16_t>(bits)));
}

Value LoadElement(DType type, const char* from) {
  switch (type.bits()) {
    case 8:
      return OfBits(type, static_cast<uint8_t>(*from));
    case 16: {
      uint16_t bits;
      std::memcpy(&bits, from, sizeof(bits));
      return OfBits(type, bits);
    }
    case 32: {
      uint32_t bits;
      std::memcpy(&bits, from, sizeof(bits));
      return OfBits(type, bits);
    }
    default: {
      uint64_t bits;
      std::memcpy(&bits, from, sizeof(bits));
      return OfBits(type, bits);
    }
  }
}

void StoreElement(DType type, Value v, char* to) {
  const uint64_t bits = BitsOf(type, v);
  switch (type.bits()) {
    case 8:
      *to = static_cast<char>(bits);
      return;
    case 16: {
      const auto narrow = static_cast<uint16_t>(bits);
      std::memcpy(to, &narrow, sizeof(narrow));
      return;
    }
    case 32: {
      const auto narrow = static_cast<uint32_t>(bits);
      std::memcpy(to, &narrow, sizeof(narrow));
      return;
    }
    default:
      std::memcpy(to, &bits, sizeof(bits));
  }
}

Value Cast(DType from, DType to, Value v) {
  if (from.is_float() && to.is_float()) return OfFloat(Round(to, v.f));
  if (from.is_float()) {
    if (to.is_bool()) return OfInt(v.f != 0);
    // A value that no integer type holds has no defined result.
    if (!(v.f > -0x1p63 && v.f < 0x1p64)) return OfInt(0);
    return OfInt(Wrap(
        to, v.f >= 0x1p63 ? static_cast<uint64_t>(v.f)
                          : static_cast<uint64_t>(static_cast<int64_t>(v.f))));
  }
  if (to.is_float() && to.bits() == 64) {
    return OfFloat(from.is_uint()
                       ? static_cast<double>(static_cast<uint64_t>(v.i))
                       : static_cast<double>(v.i));
  }
  if (to.is_float()) {
    return OfFloat(Round(to, from.is_uint()
                                 ? RoundToOdd(static_cast<uint64_t>(v.i))
                                 : RoundToOdd(v.i)));
  }
  return OfInt(Wrap(to, static_cast<uint64_t>(v.i)));
}

double FloatResult(Op op, double x, double y) {
  switch (op) {
    case Op::kAdd:
      return x + y;
    case Op::kSub:
      return x - y;
    case Op::kMul:
      return x * y;
    case Op::kDiv:
      return x / y;
    case Op::kMin:
      return y < x ? y : x;
    case Op::kMax:
      return x < y ? y : x;
    case Op::kAbs:
      return std::fabs(x);
    case Op::kSqrt:
      return std::sqrt(x);
    case Op::kFloor:
      return std::floor(x);
    case Op::kCeil:
      return std::ceil(x);
    case Op::kRound:
      return std::nearbyint(x);
    default:
      return 0;
  }
}

bool Less(DType type, Value x, Value y) {
  if (type.is_float()) return x.f < y.f;
  return type.is_uint()
             ? static_cast<uint64_t>(x.i) < static_cast<uint64_t>(y.i)
             : x.i < y.i;
}

// Rounds down; y is not 0.
int64_t Quotient(DType type, int64_t x, int64_t y) {
  if (type.is_uint()) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) /
                                static_cast<uint64_t>(y));
  }
  // INT64_MIN / -1 would trap.
  if (y == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(x));
  return x / y - (x % y != 0 && (x % y < 0) != (y < 0) ? 1 : 0);
}

uint64_t IntResult(Op op, DType type, int64_t x, int64_t y) {
  const auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  switch (op) {
    case Op::kAdd:
      return ux + uy;
    case Op::kSub:
      return ux - uy;
    case Op::kMul:
      return ux * uy;
    case Op::kDiv:
      return static_cast<uint64_t>(Quotient(type, x, y));
    case Op::kMod:
      return ux - static_cast<uint64_t>(Quotient(type, x, y)) * uy;
    case Op::kMin:
      return Less(type, OfInt(y), OfInt(x)) ? uy : ux;
    case Op::kMax:
      return Less(type, OfInt(x), OfInt(y)) ? uy : ux;
    case Op::kAnd:
      return ux & uy;
    case Op::kOr:
      return ux | uy;
    case Op::kXor:
      return ux ^ uy;
    case Op::kShiftLeft:
      return ux << (uy & 63);
    case Op::kShiftRight:
      return type.is_uint() ? ux >> (uy & 63)
                            : static_cast<uint64_t>(x >> (uy & 63));
    case Op::kAbs:
      return type.is_uint() || x >= 0 ? ux : 0 - ux;
    default:
      return 0;
  }
}

Value Fma(DType type, double x, double y, double z) {
  // float32 with one rounding; double and then float would be two.
  if (type.bits() == 32) {
    return OfFloat(std::fma(static_cast<float>(x), static_cast<float>(y),
                            static_cast<float>(z)));
  }
  return OfFloat(Round(type, std::fma(x, y, z)));
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

class Run {
 public:
  Run(const BytecodeKernel& kernel, absl::Span<char* const> parameters)
      : kernel_(kernel),
        buffers_(parameters.begin(), parameters.end()),
        registers_(static_cast<size_t>(kernel.num_registers), OfInt(0)) {}

  absl::Status Execute() {
    for (size_t i = buffers_.size(); i < kernel_.buffers.size(); ++i) {
      const BytecodeBuffer& buffer = kernel_.buffers[i];
      const bool fits =
          buffer.count < std::numeric_limits<ptrdiff_t>::max() / 8;
      locals_.emplace_back(
          fits ? std::calloc(static_cast<size_t>(buffer.count) + 1,
                             static_cast<size_t>(buffer.type.bytes()))
               : nullptr);
      if (locals_.back() == nullptr) {
        return absl::ResourceExhaustedError(
            absl::StrCat("kernel `", kernel_.name, "` got no memory for ",
                         buffer.count, " local elements"));
      }
      buffers_.push_back(static_cast<char*>(locals_.back().get()));
    }
    for (size_t at = 0; at < kernel_.code.size();) {
      const Instruction& i = kernel_.code[at];
      switch (i.op) {
        case Op::kFor:
        case Op::kIf:
        case Op::kElse:
        case Op::kEnd:
          at = Jump(at);
          continue;
        default:
          if (!Step(i)) return Error(i);
      }
      ++at;
    }
    return absl::OkStatus();
  }

 private:
  struct Loop {
    int64_t next, end;
  };

  // The instruction after the block instruction at `at`.
  size_t Jump(size_t at) {
    const Instruction& i = kernel_.code[at];
    const auto after_block = static_cast<size_t>(i.target) + 1;
    switch (i.op) {
      case Op::kFor: {
        const auto first = registers_[i.a].i;
        const auto end =
            static_cast<int64_t>(static_cast<uint64_t>(first) +
                                 static_cast<uint64_t>(registers_[i.b].i));
        if (end <= first) return after_block;
        loops_.push_back({first, end});
        registers_[i.dst].i = first;
        return at + 1;
      }
      case Op::kIf:
        return registers_[i.a].i != 0 ? at + 1 : after_block;
      case Op::kElse:  // at the end of the first arm
        return after_block;
      default: {
        const Instruction& opener = kernel_.code[i.target];
        if (opener.op != Op::kFor) return at + 1;
        Loop& loop = loops_.back();
        if (++loop.next < loop.end) {
          registers_[opener.dst].i = loop.next;
          return after_block;
        }
        loops_.pop_back();
        return at + 1;
      }
    }
  }

  // The address of an element; nullptr outside of the buffer.
  char* ElementAt(int32_t buffer, int64_t index) const {
    const BytecodeBuffer& info = kernel_.buffers[buffer];
    if (static_cast<uint64_t>(index) >= static_cast<uint64_t>(info.count)) {
      return nullptr;
    }
    return buffers_[buffer] + index * info.type.bytes();
  }

  // Returns false if the access or the division is not allowed.
  bool Step(const Instruction& i) {
    const auto reg = [&](int32_t index) -> Value& { return registers_[index]; };
    switch (i.op) {
      case Op::kConstant:
        std::memcpy(&reg(i.dst), &kernel_.constants[i.a], sizeof(Value));
        return true;
      case Op::kCopy:
        reg(i.dst) = reg(i.a);
        return true;
      case Op::kLoad: {
        const char* element = ElementAt(i.a, reg(i.b).i);
        if (element == nullptr) return false;
        reg(i.dst) = LoadElement(i.type, element);
        return true;
      }
      case Op::kStore: {
        char* element = ElementAt(i.dst, reg(i.a).i);
        if (element == nullptr) return false;
        StoreElement(i.type, reg(i.b), element);
        return true;
      }
      case Op::kCast:
        reg(i.dst) = Cast(i.from, i.type, reg(i.a));
        return true;
      case Op::kReinterpret:
        reg(i.dst) = OfBits(i.type, BitsOf(i.from, reg(i.a)));
        return true;
      case Op::kEqual:
        reg(i.dst) = OfInt(i.type.is_float() ? reg(i.a).f == reg(i.b).f
                                             : reg(i.a).i == reg(i.b).i);
        return true;
      case Op::kLess:
        reg(i.dst) = OfInt(Less(i.type, reg(i.a), reg(i.b)));
        return true;
      case Op::kLessEqual:
        reg(i.dst) =
            OfInt(i.type.is_float() ? reg(i.a).f <= reg(i.b).f
                                    : !Less(i.type, reg(i.b), reg(i.a)));
        return true;
      case Op::kFma:
        reg(i.dst) = Fma(i.type, reg(i.a).f, reg(i.b).f, reg(i.c).f);
        return true;
      default:
        break;
    }
    if (i.type.is_float()) {
      reg(i.dst) =
          OfFloat(Round(i.type, FloatResult(i.op, reg(i.a).f, reg(i.b).f)));
      return true;
    }
    const bool divides = i.op == Op::kDiv || i.op == Op::kMod;
    if (divides && reg(i.b).i == 0) return false;
    reg(i.dst) =
        OfInt(Wrap(i.type, IntResult(i.op, i.type, reg(i.a).i, reg(i.b).i)));
    return true;
  }

  absl::Status Error(const Instruction& i) const {
    const std::string kernel = absl::StrCat("kernel `", kernel_.name, "` ");
    if (i.op != Op::kLoad && i.op != Op::kStore) {
      return absl::InternalError(absl::StrCat(kernel, "divides by zero"));
    }
    const bool load = i.op == Op::kLoad;
    const int32_t buffer = load ? i.a : i.dst;
    return absl::InternalError(
        absl::StrCat(kernel, load ? "reads" : "writes", " element ",
                     registers_[load ? i.b : i.a].i, " of buffer ", buffer,
                     ", which has ", kernel_.buffers[buffer].count));
  }

  const BytecodeKernel& kernel_;
  std::vector<char*> buffers_;
  std::vector<Value> registers_;
  std::vector<std::unique_ptr<void, Free>> locals_;
  std::vector<Loop> loops_;
};

}  // namespace

absl::Status RunBytecode(const BytecodeKernel& kernel,
                         absl::Span<char* const> parameters) {
  return Run(kernel, parameters).Execute();
}

}  // namespace assay::runtime
