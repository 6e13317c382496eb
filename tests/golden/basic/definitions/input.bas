' Adds two.
Function Add(a As Integer, b As Integer) As Integer
    Add = a + b
End Function

Sub Show()
End Sub

Type Point
    x As Integer
End Type

Const MOST = 10
Dim total As Integer
