// Requests of a page for any address: what a web process sends is of a scheme that it may send, and of the web only
// what the worker lets it reach. Addresses are read here once more, by other rules than those of GLib.
#include "GalleyWebExtension/GalleyWebExtension.c"

#include <arpa/inet.h>

#include "input.h"

static char *current;
static GObject *page;

const char *webkit_uri_request_get_uri(WebKitURIRequest *request) { return (void)request, current; }
void webkit_uri_request_set_uri(WebKitURIRequest *request, const char *address) {
  (void)request;
  char *copy = g_strdup(address);
  g_free(current);
  current = copy;
}
const char *webkit_web_page_get_uri(WebKitWebPage *page) { return (void)page, "https://example.com/"; }
gboolean webkit_frame_is_main_frame(WebKitFrame *frame) { return (void)frame, TRUE; }
const char *webkit_frame_get_uri(WebKitFrame *frame) { return (void)frame, "about:blank"; }
WebKitScriptWorld *webkit_script_world_get_default(void) { return NULL; }

static int begins(const char *address, const char *scheme) {
  return g_ascii_strncasecmp(address, scheme, strlen(scheme)) == 0;
}

static int is_of_the_web(const char *address) {
  return begins(address, "http:") || begins(address, "https:") || begins(address, "ws:") || begins(address, "wss:");
}

static int is_of_another(const char *address) {
  return begins(address, "creative:") || begins(address, "data:") || begins(address, "blob:") ||
      begins(address, "about:") || begins(address, "webkit-pdfjs-viewer:");
}

// Whether the host is this machine's name or a number, by the C library.
static int names_a_number(const char *address) {
  const char *start = strstr(address, "://");
  if (!start) return 0;
  size_t length = strcspn(start += 3, "/?#");
  char *host = g_strndup(start, length), *user = strrchr(host, '@'), *bare = user ? user + 1 : host;
  char *end = *bare == '[' ? strchr(bare, ']') : strchr(bare, ':');
  if (end) *end = 0;
  bare += *bare == '[';
  char *zone = strchr(bare, '%');
  if (zone && strchr(bare, ':')) *zone = 0;
  unsigned char number[16];
  int is_one = g_ascii_strcasecmp(bare, "localhost") == 0 || inet_pton(AF_INET, bare, number) == 1 ||
      inet_pton(AF_INET6, bare, number) == 1;
  g_free(host);
  return is_one;
}

// The engine's addresses are of visible ASCII: it has encoded all else by then.
static int is_of_the_engine(const char *address) {
  const char *end = address;
  while (g_ascii_isgraph(*end)) end++;
  return *address && !*end;
}

static void is_judged(char *address, gboolean has_document) {
  current = g_strdup(address);
  g_object_set_data(page, document_mark, has_document ? (gpointer)document_mark : NULL);
  if (!on_send_request((WebKitWebPage *)page, NULL, NULL, NULL)) {
    HOLDS(is_of_the_web(current) || is_of_another(current));
    // A page of the creative's own names no host of the web, nor this machine.
    HOLDS(!begins(current, "creative://localhost") || strchr("/?#", current[20]) == NULL);
    if (is_of_the_web(current) && reach != REACH_NAMES) HOLDS(reach == REACH_NUMBERS && names_a_number(current));
  }
  g_free(current);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const beginnings[] = {
      "", "creative://", "creative://localhost", "http://", "https://", "wss://localhost", "http://[::1"};
  struct input input = {bytes, bytes + size};
  if (!page) page = g_object_new(G_TYPE_OBJECT, NULL);
  reach = take(&input) % 3;
  gboolean has_document = take(&input) % 2;
  const char *beginning = beginnings[take(&input) % G_N_ELEMENTS(beginnings)];
  char *rest = take_text(&input), *address = g_strconcat(beginning, rest, NULL);
  if (is_of_the_engine(address)) is_judged(address, has_document);
  g_free(address);
  free(rest);
  return 0;
}
