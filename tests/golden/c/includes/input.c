#include <stdio.h>
#include <sys/types.h>
#include "store/store.h"
#ifdef HAVE_X
# include "../x.h"
#endif
#include CONFIG_HEADER

int main(void)
{
	return puts(NAME);
}
