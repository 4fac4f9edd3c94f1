#pragma once

// Joins the clock in this folder; called by the web process extension before any page exists. 0, or an errno.
int galley_clock_join(const char *folder);

// This process has a page and answers for its time from now on; one without only runs a worker that pages share.
void galley_clock_takes_page(void);

// Lets the time pass that a document has taken to load when its first script runs; called before that, by the extension.
void galley_clock_document_begins(void);
