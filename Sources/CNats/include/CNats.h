#include <nats/nats.h>

// What the library's file is called.
const char *galley_nats_library(void);

// Whether the library is installed; loads it.
int galley_nats_is_there(void);
