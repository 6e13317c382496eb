# Adds two.
	.text
	.globl add
add:
	mov %edi, %eax
	add %esi, %eax
	ret

	.macro twice what
	\what
	\what
	.endm

.set MOST, 10
1:	jmp 1b
.Ldone:
	ret
