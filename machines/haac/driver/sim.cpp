// SPDX-License-Identifier: MIT OR Apache-2.0

#include "sim.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "Vevaluator.h"
#include "Vgarbler.h"
#include "verilated.h"

// Called by Verilator's $time.
double sc_time_stamp() { return 0; }

namespace {

// Bytes of a beat.
constexpr size_t kBeat = 64;

struct Sim {
    virtual ~Sim() = default;
    virtual uint32_t read(uint32_t offset) = 0;
    virtual void write(uint32_t offset, uint32_t value) = 0;
    uint64_t cycles = 0;
    int broken = -1;
};

// A machine with its memory. All outputs of the machine come from registers, so they are read
// before the inputs of a cycle are set.
template <class Top>
class Machine final : public Sim {
  public:
    Machine(uint8_t *memory, size_t bytes) : memory_(memory), bytes_(bytes)
    {
        top_.rst_ni = 0;
        for (int i = 0; i < 4; i++) clock();
        top_.rst_ni = 1;
        for (int i = 0; i < 4; i++) clock();
    }

    uint32_t read(uint32_t offset) override
    {
        top_.s_axil_araddr_i = offset;
        top_.s_axil_arvalid_i = 1;
        top_.s_axil_rready_i = 1;
        while (!top_.s_axil_arready_o) clock();
        clock();
        top_.s_axil_arvalid_i = 0;
        while (!top_.s_axil_rvalid_o) clock();
        const uint32_t value = top_.s_axil_rdata_o;
        clock();
        return value;
    }

    void write(uint32_t offset, uint32_t value) override
    {
        top_.s_axil_awaddr_i = offset;
        top_.s_axil_wdata_i = value;
        top_.s_axil_wstrb_i = 0xf;
        top_.s_axil_awvalid_i = 1;
        top_.s_axil_wvalid_i = 1;
        top_.s_axil_bready_i = 1;
        while (!top_.s_axil_awready_o) clock();
        clock();
        top_.s_axil_awvalid_i = 0;
        top_.s_axil_wvalid_i = 0;
        top_.s_axil_wdata_i = 0;
        while (!top_.s_axil_bvalid_o) clock();
        clock();
    }

  private:
    struct Request {
        uint64_t address;
        size_t size;
        uint32_t id;
    };

    Request request(uint64_t address, int length, int size, uint32_t id)
    {
        const Request request = {address, size_t{1} << size, id};
        if (length != 0 || request.address + request.size > bytes_) {
            std::fprintf(stderr, "sim: %d beats of %zu bytes at %#llx\n", length + 1, request.size,
                         static_cast<unsigned long long>(address));
            std::exit(1);
        }
        return request;
    }

    void reads()
    {
        top_.m_axi_rvalid_i = !reads_.empty();
        if (!reads_.empty()) {
            const Request &first = reads_.front();
            auto *data = reinterpret_cast<uint8_t *>(&top_.m_axi_rdata_i);
            std::memcpy(data + first.address % kBeat, memory_ + first.address, first.size);
            top_.m_axi_rresp_i = 0;
            top_.m_axi_rlast_i = broken != 0;
            top_.m_axi_rid_i = first.id ^ (broken == 1);
            broken = -1;
            reads_.pop_front();
        }
        top_.m_axi_arready_i = 1;
        if (top_.m_axi_arvalid_o)
            reads_.push_back(request(top_.m_axi_araddr_o, top_.m_axi_arlen_o, top_.m_axi_arsize_o, top_.m_axi_arid_o));
    }

    void writes()
    {
        top_.m_axi_bvalid_i = !done_.empty();
        if (!done_.empty()) {
            top_.m_axi_bid_i = done_.front();
            top_.m_axi_bresp_i = 0;
            done_.pop_front();
        }
        // Address and data of a write come in the same cycle, as both are always accepted.
        top_.m_axi_awready_i = 1;
        top_.m_axi_wready_i = 1;
        if (top_.m_axi_awvalid_o) {
            const Request write = request(top_.m_axi_awaddr_o, top_.m_axi_awlen_o, top_.m_axi_awsize_o, top_.m_axi_awid_o);
            const auto *data = reinterpret_cast<const uint8_t *>(&top_.m_axi_wdata_o);
            for (size_t i = 0; i < kBeat; i++)
                if (top_.m_axi_wstrb_o >> i & 1) memory_[write.address / kBeat * kBeat + i] = data[i];
            done_.push_back(write.id);
        }
    }

    void clock()
    {
        reads();
        writes();
        top_.eval();
        top_.clk_i = 1;
        top_.eval();
        top_.clk_i = 0;
        top_.eval();
        cycles++;
    }

    Top top_;
    uint8_t *memory_;
    size_t bytes_;
    std::deque<Request> reads_;
    std::deque<uint32_t> done_;
};

}  // namespace

void *sim_garbler(uint8_t *memory, size_t bytes)
{
    return static_cast<Sim *>(new Machine<Vgarbler>(memory, bytes));
}

void *sim_evaluator(uint8_t *memory, size_t bytes)
{
    return static_cast<Sim *>(new Machine<Vevaluator>(memory, bytes));
}

uint32_t sim_read(void *sim, uint32_t offset) { return static_cast<Sim *>(sim)->read(offset); }

void sim_write(void *sim, uint32_t offset, uint32_t value) { static_cast<Sim *>(sim)->write(offset, value); }

void sim_break(void *sim, int what) { static_cast<Sim *>(sim)->broken = what; }

uint64_t sim_cycles(void *sim) { return static_cast<Sim *>(sim)->cycles; }
