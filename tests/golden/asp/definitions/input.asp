<%
' Adds two.
Function Add(a, b)
    Add = a + b
End Function

Sub Show(x)
    Response.Write x
End Sub

Class Store
    Public Name
End Class

Const Most = 10
%>
