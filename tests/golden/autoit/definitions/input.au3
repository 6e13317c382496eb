#include <File.au3>
Global $total = 0

; Adds two.
Func Add($a, $b)
    Local $sum = $a + $b
    Return $sum
EndFunc

#Region Windows
Func Show()
EndFunc
#EndRegion
