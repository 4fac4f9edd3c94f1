"""The programs behind Scripts/, by subject."""
