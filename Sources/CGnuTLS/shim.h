#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

// A macro with an argument, which Swift doesn't see.
static inline unsigned gnutls_shim_p256_bits(void) { return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1); }

// A variable that holds a function, which isn't safe to read from Swift.
static inline void gnutls_shim_free(void *memory) { gnutls_free(memory); }
