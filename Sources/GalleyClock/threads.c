// Code that web processes share with the worker.
#include "../CClock/thread_slots.c"
#include "../CClock/thread_turns.c"
#include "../CClock/thread_rest.c"
#include "../CClock/conditions.c"
