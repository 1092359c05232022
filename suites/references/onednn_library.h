// Those functions of oneDNN's C API, version 3, that this folder
// uses.
//
// The library may be missing when the program is built, and its header with it,
// so this header declares the functions again. As in oneDNN's header, objects
// of the library are pointers to types without a definition. Enumerations are
// ints here, which are passed in the same way.
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_LIBRARY_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace assay::suites::dnnl {

struct Attributes;
struct Engine;
struct Memory;
struct MemoryDesc;
struct PostOps;
struct Primitive;
struct PrimitiveDesc;
struct Stream;

// The values of all axes.
using Dims = const int64_t*;

// Values of enumerations, with their names in oneDNN.
constexpr int kSuccess = 0;            // dnnl_success
constexpr int kCpu = 1;                // dnnl_cpu
constexpr unsigned kInOrder = 1;       // dnnl_stream_default_flags
constexpr int kStrict = 0;             // dnnl_fpmath_mode_strict
constexpr int kFloat32 = 3;            // dnnl_f32
constexpr int kInt32 = 4;              // dnnl_s32
constexpr int kInt8 = 5;               // dnnl_s8
constexpr int kUInt8 = 6;              // dnnl_u8
constexpr int kAnyLayout = 1;          // dnnl_format_tag_any
constexpr int kForwardInference = 96;  // dnnl_forward_inference
constexpr int kConvolutionAuto = 3;    // dnnl_convolution_auto
constexpr int kRelu = 32;              // dnnl_eltwise_relu
constexpr int kLayoutOf = 255;         // dnnl_query_exec_arg_md

// Arguments of primitives. A reorder has only a source and a destination.
constexpr int kSource = 1;        // DNNL_ARG_SRC
constexpr int kDestination = 17;  // DNNL_ARG_DST
constexpr int kWeights = 33;      // DNNL_ARG_WEIGHTS
constexpr int kBias = 41;         // DNNL_ARG_BIAS

// dnnl_exec_arg_t.
struct Argument {
  int argument;
  Memory* memory;
};

// dnnl_version_t.
struct Version {
  int major;
  int minor;
  int patch;
  const char* hash;
  unsigned cpu_runtime;
  unsigned gpu_runtime;
};

// Lists the functions: the name without the prefix `dnnl_`, and the type. An
// int that a function returns is a status, except that memory_desc_equal
// returns 1 if the descriptors are equal.
#define ASSAY_FOR_EACH_ONEDNN_FUNCTION(F)                                    \
  F(convolution_forward_primitive_desc_create,                               \
    int(PrimitiveDesc**, Engine*, int kind, int algorithm,                   \
        const MemoryDesc* source, const MemoryDesc* weights,                 \
        const MemoryDesc* bias, const MemoryDesc* destination, Dims strides, \
        Dims dilations, Dims padding_before, Dims padding_after,             \
        const Attributes*))                                                  \
  F(engine_create, int(Engine**, int kind, size_t index))                    \
  F(get_default_fpmath_mode, int(int*))                                      \
  F(matmul_primitive_desc_create,                                            \
    int(PrimitiveDesc**, Engine*, const MemoryDesc* source,                  \
        const MemoryDesc* weights, const MemoryDesc* bias,                   \
        const MemoryDesc* destination, const Attributes*))                   \
  F(memory_create, int(Memory**, const MemoryDesc*, Engine*, void* data))    \
  F(memory_desc_create_with_strides,                                         \
    int(MemoryDesc**, int rank, Dims extents, int type, Dims strides))       \
  F(memory_desc_create_with_tag,                                             \
    int(MemoryDesc**, int rank, Dims extents, int type, int tag))            \
  F(memory_desc_destroy, int(MemoryDesc*))                                   \
  F(memory_desc_equal, int(const MemoryDesc*, const MemoryDesc*))            \
  F(memory_destroy, int(Memory*))                                            \
  F(post_ops_append_eltwise,                                                 \
    int(PostOps*, int algorithm, float alpha, float beta))                   \
  F(post_ops_create, int(PostOps**))                                         \
  F(post_ops_destroy, int(PostOps*))                                         \
  F(primitive_attr_create, int(Attributes**))                                \
  F(primitive_attr_destroy, int(Attributes*))                                \
  F(primitive_attr_set_post_ops, int(Attributes*, const PostOps*))           \
  F(primitive_create, int(Primitive**, const PrimitiveDesc*))                \
  F(primitive_desc_destroy, int(PrimitiveDesc*))                             \
  F(primitive_desc_query_md,                                                 \
    const MemoryDesc*(const PrimitiveDesc*, int what, int argument))         \
  F(primitive_destroy, int(Primitive*))                                      \
  F(primitive_execute,                                                       \
    int(const Primitive*, Stream*, int num_arguments, const Argument*))      \
  F(reorder_primitive_desc_create,                                           \
    int(PrimitiveDesc**, const MemoryDesc* from, Engine* from_engine,        \
        const MemoryDesc* to, Engine* to_engine, const Attributes*))         \
  F(stream_create, int(Stream**, Engine*, unsigned flags))                   \
  F(stream_wait, int(Stream*))                                               \
  F(version, const Version*())

struct Functions {
#define ASSAY_DECLARE_FUNCTION(name, type) \
  std::add_pointer_t<type> name = nullptr;
  ASSAY_FOR_EACH_ONEDNN_FUNCTION(ASSAY_DECLARE_FUNCTION)
#undef ASSAY_DECLARE_FUNCTION
};

}  // namespace assay::suites::dnnl

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_LIBRARY_H_
