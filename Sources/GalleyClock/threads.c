// The same in a web process as in its worker.
#include "../CClock/clock_threads.c"
#include "../CClock/conditions.c"
