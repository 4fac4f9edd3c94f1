#pragma once

// Joins the clock in this folder; called by the web process extension before any page exists. 0, or an errno.
int galley_clock_join(const char *folder);
