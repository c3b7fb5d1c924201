#include <execinfo.h>
