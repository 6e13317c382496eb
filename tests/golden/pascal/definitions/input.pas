unit Shop;
interface
function Add(A, B: Integer): Integer;
implementation

{ Adds. }
function Add(A, B: Integer): Integer;
begin
  Result := A + B;
end;

procedure TOrder.Show;
begin
end;
end.
