library ieee;

-- Counts.
entity counter is
  port (clk : in bit; q : out bit);
end counter;

architecture rtl of counter is
  constant most : integer := 10;
  signal full : bit;

  function add(a, b : integer) return integer is
  begin
    return a + b;
  end add;
begin
  step : process (clk)
  begin
    full <= '1';
  end process;
end rtl;

package shop is
  type colour is (red, green);
end shop;
