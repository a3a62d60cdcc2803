// A library that Windows 10 has and wine 8 lacks, as far as rg.exe needs it. Only
// scripts/test-windows uses it.
#include <windows.h>
// After windows.h.
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, (ULONG)size); }
