package shop;
  typedef enum { IDLE, BUSY } state_t;
endpackage

// Counts.
module counter #(parameter W = 8) (input clk, output reg [W-1:0] q);
  function int next(int x);
    return x + 1;
  endfunction
  task show; endtask
endmodule

class Order;
  int id;
  function new(int id);
    this.id = id;
  endfunction
endclass
