/* Calling conventions stand before the name of a pointer to a function. */
typedef BOOL(WINAPI *CRYPTGENRANDOM)(HCRYPTPROV provider, DWORD n, BYTE *buffer);
typedef int(CALLBACK *window_proc)(int message);
typedef void (*plain_callback)(int);

static int(STDCALL *hook)(void *arg);

int size(int COUNT, int b)
{
#define MAX_BERTHS 16
	return (COUNT * b) + (MAX_BERTHS * b);
}
