// The C interface of one Verilated design, called by crates/verilated/src/ffi. It is the same for
// all designs.
//
// This file is compiled once for each design. DESIGN_HEADER is the header that Verilator generated
// for the design, and DESIGN is its class. "ports.inc" lists the design's ports as PORT(name,
// width, output). DESIGN_CLOCKED is 1 if a port is called clk_i.
#include <malloc.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "harness.h"

#include DESIGN_HEADER
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

namespace {

// Maximum bytes of a design's printed text that are kept.
constexpr size_t MESSAGE_SIZE = 2000;

struct Fatal : std::exception {};

struct Port {
    const char* name;
    void* data;
    uint32_t width;
    uint32_t bytes;
    uint32_t output;
};

struct Model {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<DESIGN> top;
    std::vector<Port> ports;
    std::string text;
    bool failed = false;
    uint64_t time = 0;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> trace;
#endif
};

// The model whose code runs on this thread. Verilator's callbacks need it.
thread_local Model* running = nullptr;

void dump(Model& model) {
#if VM_TRACE
    if (model.trace) model.trace->dump(model.time);
#endif
    model.time++;
}

// Runs `body` as the model's code. Returns 1 if the model has failed, now or before, else 0.
template <typename Body>
int run(Model& model, Body body) {
    if (model.failed) return 1;
    running = &model;
    Verilated::threadContextp(model.context.get());
    try {
        body();
    } catch (const std::exception&) {
        model.failed = true;
    }
    running = nullptr;
    return model.failed;
}

void fail(const char* file, int line, const char* what) {
    if (!running) std::abort();
    if (running->failed) return;
    running->failed = true;
    halfgate_printf("%s:%d: %s\n", file ? file : "", line, what);
}

void wipe_and_free(void* memory) noexcept {
    if (!memory) return;
    explicit_bzero(memory, malloc_usable_size(memory));
    std::free(memory);
}

}  // namespace

int halfgate_printf(const char* format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (running && running->text.size() < MESSAGE_SIZE) running->text += line;
    return length;
}

// Replacements for those Verilator callbacks that end the process.
void vl_finish(const char*, int, const char*) { Verilated::threadContextp()->gotFinish(true); }
void vl_stop(const char* file, int line, const char*) { fail(file, line, "stopped"); }
void vl_fatal(const char* file, int line, const char*, const char* message) {
    fail(file, line, message);
    throw Fatal();
}

// Memory of the design is wiped when it is freed, because it holds labels and Delta. The operators
// below replace the standard ones in this library only, because it exports only the functions after
// them.
void operator delete(void* memory) noexcept { wipe_and_free(memory); }
void operator delete[](void* memory) noexcept { wipe_and_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { wipe_and_free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { wipe_and_free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { wipe_and_free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { wipe_and_free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { wipe_and_free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    wipe_and_free(memory);
}

#pragma GCC visibility push(default)

extern "C" {

// Makes a design whose registers start with bits derived from `seed`. Returns null if memory is
// short.
void* halfgate_new(uint64_t seed) try {
    auto model = std::make_unique<Model>();
    model->context = std::make_unique<VerilatedContext>();
    model->context->randReset(2);
    model->context->randSeed(static_cast<int>(seed));
#if VM_TRACE
    model->context->traceEverOn(true);
#endif
    model->text.reserve(MESSAGE_SIZE);
    Verilated::threadContextp(model->context.get());
    model->top = std::make_unique<DESIGN>(model->context.get(), "TOP");
    DESIGN& top = *model->top;
#define PORT(name, width, output) \
    model->ports.push_back({#name, &top.name, width, sizeof top.name, output});
#include "ports.inc"
#undef PORT
    return model.release();
} catch (const std::exception&) {
    return nullptr;
}

void halfgate_delete(void* handle) {
    Model* model = static_cast<Model*>(handle);
    run(*model, [&] {
#if VM_TRACE
        if (model->trace) model->trace->close();
#endif
        model->top->final();
    });
    delete model;
}

// Returns the number of ports, and the ports themselves, which are valid while the model lives.
size_t halfgate_ports(void* handle, const void** ports) {
    Model* model = static_cast<Model*>(handle);
    *ports = model->ports.data();
    return model->ports.size();
}

// Settles combinational logic without a clock edge.
int halfgate_settle(void* handle) {
    Model& model = *static_cast<Model*>(handle);
    return run(model, [&] { model.top->eval(); });
}

// Runs one cycle of clk_i: logic settles on the inputs, clk_i rises, clk_i falls.
int halfgate_clock(void* handle) {
    Model& model = *static_cast<Model*>(handle);
    return run(model, [&] {
#if DESIGN_CLOCKED
        model.top->clk_i = 1;
        model.top->eval();
        dump(model);
        model.top->clk_i = 0;
        model.top->eval();
        dump(model);
#else
        model.top->eval();
        dump(model);
#endif
    });
}

// Starts a trace. Returns 1 if the design was built without traces or the file cannot be written,
// else 0.
int halfgate_trace(void* handle, const char* path) {
    Model& model = *static_cast<Model*>(handle);
#if VM_TRACE
    if (model.trace) return 1;
    return run(model, [&] {
        model.trace = std::make_unique<VerilatedFstC>();
        model.top->trace(model.trace.get(), 99);
        model.trace->open(path);
        if (!model.trace->isOpen()) model.trace.reset();
    }) || !model.trace;
#else
    (void)model;
    (void)path;
    return 1;
#endif
}

// Writes the trace so far to the file.
void halfgate_flush_trace(void* handle) {
    Model& model = *static_cast<Model*>(handle);
    (void)model;
#if VM_TRACE
    if (model.trace) model.trace->flush();
#endif
}

// Returns the text that the design printed, including the reason of a failure. The pointer is valid
// until the next call.
const char* halfgate_text(void* handle) { return static_cast<Model*>(handle)->text.c_str(); }

// Whether the design called $finish.
int halfgate_finished(void* handle) {
    return static_cast<Model*>(handle)->context->gotFinish();
}

}  // extern "C"

#pragma GCC visibility pop
