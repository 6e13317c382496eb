package body Shop is

   Max : constant Integer := 3;

   type Order is record
      Id : Integer;
   end record;

   -- Adds.
   function Add (A, B : Integer) return Integer is
   begin
      return A + B;
   end Add;

   procedure Show is
   begin
      null;
   end Show;

end Shop;
