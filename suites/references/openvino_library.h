// Those functions of OpenVINO's C API that this folder uses.
//
// The library may be missing when the program is built, and its header with it,
// so this header declares the functions again. As in OpenVINO's header, objects
// of the library are pointers to types without a definition. Enumerations are
// ints here, which are passed in the same way.
#ifndef ASSAY_SUITES_REFERENCES_OPENVINO_LIBRARY_H_
#define ASSAY_SUITES_REFERENCES_OPENVINO_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace assay::suites::openvino {

struct CompiledModel;
struct Core;
struct Model;
struct Port;     // an input or an output of a model
struct Request;  // the state of a model that runs
struct Tensor;

// Statuses, with their names in OpenVINO.
constexpr int kOk = 0;                 // OK
constexpr int kInvalidArgument = -14;  // INVALID_C_PARAM

// Element types. The values of this enumeration differ between releases.
constexpr int kFloat32 = 4;  // F32
constexpr int kFloat64 = 5;  // F64
constexpr int kInt8 = 7;     // I8
constexpr int kInt32 = 9;    // I32
constexpr int kInt64 = 10;   // I64
constexpr int kUInt8 = 16;   // U8

// ov_dimension_t: the bounds of an extent or of a rank. They are equal if the
// value is known.
struct Range {
  int64_t min;
  int64_t max;
};

// ov_partial_shape_t. If the rank is unknown, `extents` is null.
struct PartialShape {
  Range rank;
  Range* extents;
};

// ov_property_t.
struct Property {
  const char* key;
  const void* value;
};

// ov_shape_t.
struct StaticShape {
  int64_t rank;
  int64_t* extents;
};

// ov_version_t.
struct Version {
  const char* build_number;
  const char* description;
};

// Lists the functions: the name without the prefix `ov_`, and the type. An int
// that a function returns is a status. Functions named `…_free` release what
// other functions of the library returned.
#define ASSAY_FOR_EACH_OPENVINO_FUNCTION(F)                                    \
  F(compiled_model_create_infer_request, int(const CompiledModel*, Request**)) \
  F(compiled_model_free, void(CompiledModel*))                                 \
  F(compiled_model_get_property,                                               \
    int(const CompiledModel*, const char* key, char** value))                  \
  F(compiled_model_output_by_index,                                            \
    int(const CompiledModel*, size_t index, Port**))                           \
  F(compiled_model_outputs_size, int(const CompiledModel*, size_t*))           \
  F(core_compile_model_props,                                                  \
    int(const Core*, const Model*, const char* device, size_t num_properties,  \
        const Property*, CompiledModel**))                                     \
  F(core_create, int(Core**))                                                  \
  F(core_free, void(Core*))                                                    \
  F(core_read_model,                                                           \
    int(const Core*, const char* file, const char* weights, Model**))          \
  F(core_read_model_from_memory_buffer,                                        \
    int(const Core*, const char* bytes, size_t size, const Tensor* weights,    \
        Model**))                                                              \
  F(free, void(const char*))                                                   \
  F(get_last_err_msg, const char*())                                           \
  F(get_openvino_version, int(Version*))                                       \
  F(infer_request_free, void(Request*))                                        \
  F(infer_request_get_tensor_by_const_port,                                    \
    int(const Request*, const Port*, Tensor**))                                \
  F(infer_request_infer, int(Request*))                                        \
  F(infer_request_set_tensor, int(Request*, const char* name, const Tensor*))  \
  F(infer_request_set_tensor_by_const_port,                                    \
    int(Request*, const Port*, const Tensor*))                                 \
  F(model_free, void(Model*))                                                  \
  F(model_is_dynamic, bool(const Model*))                                      \
  F(model_reshape,                                                             \
    int(const Model*, const char** inputs, const PartialShape*, size_t))       \
  F(output_const_port_free, void(Port*))                                       \
  F(partial_shape_free, void(PartialShape*))                                   \
  F(port_get_any_name, int(const Port*, char**))                               \
  F(port_get_element_type, int(const Port*, int*))                             \
  F(port_get_partial_shape, int(const Port*, PartialShape*))                   \
  F(shape_free, int(StaticShape*))                                             \
  F(tensor_create_from_host_ptr,                                               \
    int(int type, StaticShape, void* data, Tensor**))                          \
  F(tensor_data, int(const Tensor*, void**))                                   \
  F(tensor_free, void(Tensor*))                                                \
  F(tensor_get_byte_size, int(const Tensor*, size_t*))                         \
  F(tensor_get_element_type, int(const Tensor*, int*))                         \
  F(tensor_get_shape, int(const Tensor*, StaticShape*))                        \
  F(version_free, void(Version*))

struct Functions {
#define ASSAY_DECLARE_FUNCTION(name, type) \
  std::add_pointer_t<type> name = nullptr;
  ASSAY_FOR_EACH_OPENVINO_FUNCTION(ASSAY_DECLARE_FUNCTION)
#undef ASSAY_DECLARE_FUNCTION
};

}  // namespace assay::suites::openvino

#endif  // ASSAY_SUITES_REFERENCES_OPENVINO_LIBRARY_H_
