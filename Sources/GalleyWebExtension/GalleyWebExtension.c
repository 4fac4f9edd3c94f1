// Runs inside each web process. It sees every request before it is sent, on any scheme, and decides there: a request
// for a script of the container's, such as mraid.js, wherever the page asks for it, is turned to the container's own; an
// address without a scheme in one of the creative's own files, //host/path, is one of the web; what the engine would
// answer from the machine is refused, and with the network switched off the web as well, before anybody asks a name
// server. It joins the worker's clock, and ends the process together with its worker.
//
// It is C because WebKit loads it as a shared library into its own process, where no Swift runtime is wanted.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webkit2/webkit-web-extension.h>

static const char *const container_scripts = "creative://galley/";
static const char *const refused_document = "creative://galley/refused";

// What of the web requests are sent for; WebReach in WebKitRuntime has the same numbers.
enum { REACH_NOTHING, REACH_NUMBERS, REACH_NAMES };
static int reach = REACH_NAMES;

// Names of the container's scripts in lower case; the worker tells them.
static char **scripts = NULL;

// The container's own address of a script that a page asks for anywhere on the web; NULL for other addresses.
static char *container_script(GUri *uri) {
  const char *path = g_uri_get_path(uri);
  const char *slash = strrchr(path, '/');
  char *name = g_ascii_strdown(slash ? slash + 1 : path, -1);
  gboolean is_script = scripts && g_strv_contains((const char *const *)scripts, name);
  char *address = is_script ? g_strconcat(container_scripts, name, NULL) : NULL;
  g_free(name);
  return address;
}

static gboolean is_one_of(const char *scheme, const char *const *schemes) {
  return scheme && g_strv_contains(schemes, scheme);
}

// Whether a request of the web may be sent; an address that can't be read may not, where not all may.
static gboolean is_within_reach(const char *address, GUri *uri) {
  if (reach == REACH_NAMES) return TRUE;
  const char *host = uri && reach == REACH_NUMBERS ? g_uri_get_host(uri) : NULL;
  // GLib ends a host at a semicolon, with which a name goes on for the engine.
  const char *authority = strstr(address, "://");
  if (!host || !authority || memchr(authority, ';', 3 + strcspn(authority + 3, "/?#"))) return FALSE;
  return g_hostname_is_ip_address(host) || g_ascii_strcasecmp(host, "localhost") == 0;
}

// What a page of the creative's own files wrote as //host/path: its own hosts are single words. NULL for its files.
static char *address_on_the_web(const char *address) {
  static const char prefix[] = "creative://";
  if (!g_str_has_prefix(address, prefix)) return NULL;
  const char *rest = address + strlen(prefix);
  size_t length = strcspn(rest, "/?#");
  gboolean is_this_machine = length == strlen("localhost") && g_ascii_strncasecmp(rest, "localhost", length) == 0;
  gboolean is_own = strcspn(rest, ".:[]@%") >= length && !is_this_machine;
  return is_own ? NULL : g_strconcat("https://", rest, NULL);
}

// The mark of a page that shows a document which isn't a view's empty one.
static const char *const document_mark = "galley-document";

static gboolean on_send_request(
    WebKitWebPage *page, WebKitURIRequest *request, WebKitURIResponse *redirect, gpointer data) {
  static const char *const web[] = {"http", "https", "ws", "wss", NULL};
  // The creative's own files and memory, and what shows documents of the engine's other kinds.
  static const char *const others[] = {"creative", "data", "blob", "about", "webkit-pdfjs-viewer", NULL};
  char *moved = address_on_the_web(webkit_uri_request_get_uri(request));
  if (moved) webkit_uri_request_set_uri(request, moved);
  const char *address = moved ? moved : webkit_uri_request_get_uri(request);
  const char *scheme = g_uri_peek_scheme(address);
  gboolean refused = !is_one_of(scheme, others);
  if (is_one_of(scheme, web)) {
    GUri *uri = g_uri_parse(address, G_URI_FLAGS_PARSE_RELAXED, NULL);
    char *script = uri ? container_script(uri) : NULL;
    refused = !script && !is_within_reach(address, uri);
    if (script) webkit_uri_request_set_uri(request, script);
    g_free(script);
    if (uri) g_uri_unref(uri);
  }
  // A page whose next document is refused on the spot goes on with an empty one. The worker stops that load as soon as it
  // hears of it, ahead of any answer to this address.
  gboolean has_document = g_object_get_data(G_OBJECT(page), document_mark) != NULL;
  gboolean is_next = refused && has_document && g_strcmp0(address, webkit_web_page_get_uri(page)) == 0;
  if (is_next) webkit_uri_request_set_uri(request, refused_document);
  g_free(moved);
  return refused && !is_next;
}

// A copy of the socket to the worker, which WebKit names on the command line: program, identifier, socket; else -1.
//
// WebKit closes its own when the worker goes, and a number that is used again would be waited on in vain.
static int worker_socket(void) {
  char *line = NULL;
  gsize length = 0;
  if (!g_file_get_contents("/proc/self/cmdline", &line, &length, NULL)) return -1;
  const char *identifier = line + strlen(line) + 1;
  const char *number = identifier < line + length ? identifier + strlen(identifier) + 1 : line + length;
  int socket = number < line + length && g_ascii_isdigit(*number) ? atoi(number) : -1;
  g_free(line);
  return socket < 0 ? -1 : fcntl(socket, F_DUPFD_CLOEXEC, 3);
}

// WebKit itself gives a page whose script never yields ten seconds after its worker was killed.
static gpointer end_with_worker(gpointer socket) {
  struct pollfd connection = {.fd = GPOINTER_TO_INT(socket)};
  while (poll(&connection, 1, -1) < 1) {}
  _exit(0);
}

static void on_page_created(WebKitWebExtension *extension, WebKitWebPage *page, gpointer data) {
  void (*takes_page)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "galley_clock_takes_page");
  if (takes_page) takes_page();
  g_signal_connect(page, "send-request", G_CALLBACK(on_send_request), NULL);
}

// A view's empty document, which the first one of a web process has and those after it don't.
static gboolean is_placeholder(WebKitFrame *frame) {
  return webkit_frame_is_main_frame(frame) && g_strcmp0(webkit_frame_get_uri(frame), "about:blank") == 0;
}

static void on_document_begins(WebKitScriptWorld *world, WebKitWebPage *page, WebKitFrame *frame, gpointer clock) {
  if (is_placeholder(frame)) return;
  if (webkit_frame_is_main_frame(frame)) g_object_set_data(G_OBJECT(page), document_mark, (gpointer)document_mark);
  if (clock) ((void (*)(void))clock)();
}

// The clock was loaded ahead of everything else, or there is none: then nobody is told when documents begin.
static void *join_clock(const char *folder) {
  int (*join)(const char *) = (int (*)(const char *))dlsym(RTLD_DEFAULT, "galley_clock_join");
  void *begins = dlsym(RTLD_DEFAULT, "galley_clock_document_begins");
  return join && begins && *folder && join(folder) == 0 ? begins : NULL;
}

G_MODULE_EXPORT void webkit_web_extension_initialize_with_user_data(WebKitWebExtension *extension, GVariant *data) {
  void *begins = NULL;
  if (data && g_variant_is_of_type(data, G_VARIANT_TYPE("(iss)"))) {
    const char *clock = "";
    const char *names = "";
    g_variant_get(data, "(i&s&s)", &reach, &clock, &names);
    scripts = g_strsplit(names, " ", -1);
    begins = join_clock(clock);
  }
  WebKitScriptWorld *world = webkit_script_world_get_default();
  g_signal_connect(world, "window-object-cleared", G_CALLBACK(on_document_begins), begins);
  int socket = worker_socket();
  if (socket >= 0) g_thread_unref(g_thread_new("galley", end_with_worker, GINT_TO_POINTER(socket)));
  g_signal_connect(extension, "page-created", G_CALLBACK(on_page_created), NULL);
}
