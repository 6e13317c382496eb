!define MOST 10
Var Total

!macro Twice What
  ${What}
!macroend

; Installs it.
Section "Shop" SecShop
  SetOutPath $INSTDIR
SectionEnd

Function .onInit
  Push $0
FunctionEnd
