#include "proto/embed/embedding_model.h"

__asm__(
	".section .rodata\n"
	".balign 64\n"
	"model_first: .incbin \"proto/embed/model/code-embed.bin\"\n"
	"model_end: .byte 0\n"
	".previous\n");
extern const char model_first[], model_end[];

const void *model_builtin(size_t *n)
{
	*n = (size_t)(model_end - model_first);
	return model_first;
}
