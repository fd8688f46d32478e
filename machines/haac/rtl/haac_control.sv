// SPDX-License-Identifier: MIT OR Apache-2.0

// Sequence of a run: wipe, read the descriptor, run, check, wipe again. Keeps the first error.
//
// | port        | width | meaning                                                              |
// |-------------|-------|----------------------------------------------------------------------|
// | start_i, reset_i, clear_i | 1 | commands of the host                                       |
// | fetch_o     | 1     | read the descriptor (haac_fetch)                                     |
// | fetch_done_i, fetch_fault_i, … |  | the descriptor was read; it has this error             |
// | launch_o    | 1     | pulse: all parts take the launch's constants                         |
// | wipe_o      | 1     | pulse: wipe queues, window and delta                                 |
// | wiping_i    | 1     | a wipe is in progress                                                |
// | flush_o     | 1     | send nothing more to memory, and discard responses                   |
// | pending_i   | 1     | responses of memory are missing                                      |
// | work_o      | 1     | the core works; also in the cycle in which it has finished           |
// | run_o       | 1     | the cycle is counted                                                 |
// | done_i      | 1     | the core has finished                                                |
// | sum_o       | 1     | compare checksums (haac_crc_sum)                                     |
// | sum_done_i, sum_bad_i, … |  | the comparison is done; a checksum is wrong                  |
// | fault_i, …  |       | an error in this cycle                                               |
// | busy_o      | 1     | a run is in progress                                                 |
// | status_o, error_o | 32 | values of the registers `status` and `error`                      |
// | irq_o       | 1     | the run is done or has failed                                        |
//
// Latency: apart from the program, a run takes about 20 cycles, memory's latency for each burst of
// the descriptor, and at most WindowLabels / (2 Banks) + 1 cycles of wiping afterwards. Stalls:
// memory, wiping.
//
// `done` is set at the very end, after the checksums and the wiping. A register without a reset
// detects a hard reset in mid-run: during a run it holds a pattern, which it is unlikely to hold by
// chance at power-up.

module haac_control
  import haac_regs_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic        reset_i,
  input  logic        clear_i,
  input  logic        interrupt_i,

  output logic        fetch_o,
  input  logic        fetch_done_i,
  input  logic        fetch_fault_i,
  input  error_e      fetch_code_i,
  input  stream_e     fetch_stream_i,
  input  logic [7:0]  fetch_engine_i,

  output logic        launch_o,
  output logic        wipe_o,
  input  logic        wiping_i,
  output logic        flush_o,
  input  logic        pending_i,
  output logic        work_o,
  output logic        run_o,
  input  logic        done_i,

  output logic        sum_o,
  input  logic        sum_done_i,
  input  logic        sum_bad_i,
  input  stream_e     sum_stream_i,
  input  logic [7:0]  sum_engine_i,

  input  logic        fault_i,
  input  error_e      fault_code_i,
  input  stream_e     fault_stream_i,
  input  logic [7:0]  fault_engine_i,

  output logic        busy_o,
  output logic [31:0] status_o,
  output logic [31:0] error_o,
  output logic        irq_o
);

  // AtRest: idle, done or failed. AtPrepare: from launch_o until label queues are wiped.
  typedef enum logic [2:0] {
    AtRest, AtFetch, AtLaunch, AtPrepare, AtRun, AtSum, AtWipe, AtDrain
  } at_e;

  localparam logic [31:0] Running = 32'h52554e21;

  at_e at_q, at_d;
  logic done_q, failed_q, was_reset_q, succeeded_q, fresh_q, fault, reset;
  logic [1:0] since_q;
  logic [31:0] marker_q;
  error_e code_q, code;
  stream_e stream_q, stream;
  logic [7:0] engine_q, engine;
  state_e state;

  assign busy_o = at_q inside {AtFetch, AtLaunch, AtPrepare, AtRun, AtSum};
  assign reset  = reset_i && busy_o;

  // The first error, in this priority: a run's faults, the descriptor's, the checksums'.
  always_comb begin
    fault  = 1'b0;
    code   = ErrorNone;
    stream = StreamNone;
    engine = '0;
    if (busy_o && fault_i) begin
      fault  = 1'b1;
      code   = fault_code_i;
      stream = fault_stream_i;
      engine = fault_engine_i;
    end else if (at_q == AtFetch && fetch_fault_i) begin
      fault  = 1'b1;
      code   = fetch_code_i;
      stream = fetch_stream_i;
      engine = fetch_engine_i;
    end else if (at_q == AtSum && sum_done_i && sum_bad_i) begin
      fault  = 1'b1;
      code   = ErrorCorrupt;
      stream = sum_stream_i;
      engine = sum_engine_i;
    end
  end

  assign fetch_o  = at_q == AtFetch;
  assign launch_o = at_q == AtLaunch;
  // done_i is late, and work_o enables most of the machine's registers.
  assign work_o   = at_q == AtRun;
  assign run_o    = work_o && !done_i;
  assign sum_o    = at_q == AtSum;
  // In the first cycle of draining, and of the wipe at the end.
  assign wipe_o   = (at_q == AtDrain || at_q == AtWipe) && since_q == '0;
  assign flush_o  = at_q == AtDrain || at_q == AtWipe;

  always_comb begin
    at_d = at_q;
    unique case (at_q)
      AtRest:    if (start_i && !reset_i)             at_d = AtFetch;
                 else if (reset_i)                    at_d = AtWipe;
      AtFetch:   if (fetch_done_i)                    at_d = AtLaunch;
      AtLaunch:                                       at_d = AtPrepare;
      AtPrepare: if (since_q[1] && !wiping_i)         at_d = AtRun;
      AtRun:     if (done_i)                          at_d = AtSum;
      AtSum:     if (sum_done_i)                      at_d = AtWipe;
      AtDrain:   if (since_q[1] && !pending_i)        at_d = AtWipe;
      AtWipe:    if (since_q[1] && !wiping_i)         at_d = AtRest;
      default:                                        at_d = AtRest;
    endcase
    if (fault || reset) at_d = AtDrain;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q        <= AtWipe;
      since_q     <= '0;
      done_q      <= 1'b0;
      failed_q    <= 1'b0;
      was_reset_q <= 1'b0;
      succeeded_q <= 1'b0;
      fresh_q     <= 1'b1;
      code_q      <= ErrorNone;
      stream_q    <= StreamNone;
      engine_q    <= '0;
    end else begin
      at_q    <= at_d;
      fresh_q <= 1'b0;
      // Number of cycles in this state: 0, 1, then 2 for 2 and more.
      if (at_d != at_q)     since_q <= '0;
      else if (!since_q[1]) since_q <= since_q + 1'b1;

      if (at_q == AtSum) succeeded_q <= 1'b1;
      if (at_q == AtWipe && at_d == AtRest) begin
        done_q      <= succeeded_q;
        succeeded_q <= 1'b0;
      end
      if (fresh_q && marker_q == Running) was_reset_q <= 1'b1;

      if ((at_q == AtRest && (start_i || reset_i)) || clear_i || (reset_i && !busy_o)) begin
        done_q      <= 1'b0;
        failed_q    <= 1'b0;
        code_q      <= ErrorNone;
        stream_q    <= StreamNone;
        engine_q    <= '0;
        succeeded_q <= succeeded_q && !reset_i;
        if (at_q == AtRest && start_i || clear_i) was_reset_q <= 1'b0;
      end
      if (fault) begin
        failed_q <= 1'b1;
        code_q   <= code;
        stream_q <= stream;
        engine_q <= engine;
      end
      if (reset) was_reset_q <= 1'b1;
      if (fault || reset || at_d == AtFetch) succeeded_q <= 1'b0;
    end
  end

  // marker_q has no reset. rst_ni is its enable, so a clock edge during reset changes nothing.
  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge clk_i) begin
    if (rst_ni) marker_q <= busy_o ? Running : '0;
  end
  /* verilator lint_on SYNCASYNCNET */

  always_comb begin
    unique case (at_q)
      AtFetch:           state = StateFetching;
      AtRun, AtSum:      state = StateRunning;
      AtDrain:           state = StateDraining;
      AtRest:            state = done_q ? StateDone : failed_q ? StateFailed : StateIdle;
      default:           state = StateWiping;
    endcase
    status_o = '0;
    status_o[StatusStateBit+:4]  = state;
    status_o[StatusDoneBit]      = done_q;
    status_o[StatusFailedBit]    = failed_q;
    status_o[StatusWasResetBit]  = was_reset_q;
    status_o[StatusDrainingBit]  = at_q == AtDrain;
    error_o = '0;
    error_o[ErrorCodeBit+:8]   = code_q;
    error_o[ErrorStreamBit+:8] = stream_q;
    error_o[ErrorEngineBit+:8] = engine_q;
  end
  assign irq_o = interrupt_i && (done_q || failed_q);

endmodule
