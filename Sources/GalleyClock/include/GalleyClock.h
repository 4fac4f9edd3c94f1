#pragma once

// Joins the clock in this folder; called by the web process extension before any page exists. Returns 0 or an errno.
int galley_clock_join(const char *folder);

// Makes this process, which has a page, answer for the time from now on. A process without one runs a shared worker.
void galley_clock_takes_page(void);

// Lets the time pass that a document takes to load; called by the extension before the document's first script runs.
void galley_clock_document_begins(void);
