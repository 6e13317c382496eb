// Counts.
module counter #(parameter WIDTH = 8) (
  input clk,
  output reg [WIDTH-1:0] count
);
  wire full;
  localparam MOST = 255;

  function integer next;
    input integer x;
    next = x + 1;
  endfunction

  task reset;
    count = 0;
  endtask
endmodule
