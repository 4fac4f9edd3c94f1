#pragma once
#include <malloc.h>

#include <gdk/gdkx.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>
#include <X11/extensions/Xrandr.h>

// Swift sees neither variadic functions nor cast and type macros; each of these wraps one.

// The C library's header for this isn't in Swift's Glibc module.
static inline void galley_keep_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
}

// g_object_new is variadic, WEBKIT_TYPE_* are macros.
static inline WebKitWebContext *galley_context_new(WebKitWebsiteDataManager *manager, WebKitMemoryPressureSettings *memory) {
  return g_object_new(WEBKIT_TYPE_WEB_CONTEXT, "website-data-manager", manager, "memory-pressure-settings", memory, NULL);
}

// A variadic constructor. The folder can't exist, so nothing is ever kept.
static inline WebKitWebsiteDataManager *galley_persistent_manager(void) {
  return webkit_website_data_manager_new(
      "base-data-directory", "/dev/null/galley", "base-cache-directory", "/dev/null/galley", NULL);
}

// g_object_new and the policies' constructor are variadic; a related view shares its web process and takes its context
// from it. Media plays without a gesture, as in apps' ad views.
static inline WebKitWebView *galley_view_new(
    WebKitWebContext *context, WebKitUserContentManager *content, WebKitSettings *settings, WebKitWebView *related) {
  WebKitWebsitePolicies *policies = webkit_website_policies_new_with_policies("autoplay", WEBKIT_AUTOPLAY_ALLOW, NULL);
  WebKitWebView *view = g_object_new(
      WEBKIT_TYPE_WEB_VIEW, related ? "related-view" : "web-context", related ? (gpointer)related : (gpointer)context,
      "user-content-manager", content, "settings", settings, "website-policies", policies, NULL);
  g_object_unref(policies);
  return view;
}

// GTK_CONTAINER and GTK_WIDGET are macros. A window of the X server's own, because media never loads in a
// GtkOffscreenWindow; a popup, because no window manager is there to place, decorate or focus it.
static inline GtkWidget *galley_window_around(WebKitWebView *view) {
  GtkWidget *window = gtk_window_new(GTK_WINDOW_POPUP);
  gtk_container_add(GTK_CONTAINER(window), GTK_WIDGET(view));
  return window;
}
static inline GtkWidget *galley_widget(WebKitWebView *view) { return GTK_WIDGET(view); }

// GTK_WINDOW is a macro; the allocation is made at once, so that the page is laid out without waiting for the X server.
static inline void galley_window_resize(GtkWidget *window, WebKitWebView *view, int width, int height) {
  gtk_window_resize(GTK_WINDOW(window), width, height);
  GtkAllocation allocation = {0, 0, width, height};
  gtk_widget_size_allocate(window, &allocation);
}

// g_object_set is variadic: no desktop's settings, no blinking caret, and the system's font one that is pinned.
static inline void galley_fix_drawing(void) {
  g_object_set(
      gtk_settings_get_default(), "gtk-xft-antialias", 1, "gtk-xft-hinting", 1, "gtk-xft-hintstyle", "hintslight",
      "gtk-xft-rgba", "none", "gtk-xft-dpi", 96 * 1024, "gtk-font-name", "Liberation Sans 11", "gtk-cursor-blink", FALSE,
      NULL);
}

// GDK_IS_X11_DISPLAY is a macro; the scale is the display's, so of every view to come in this process.
static inline gboolean galley_set_scale(int scale) {
  GdkDisplay *display = gdk_display_get_default();
  if (!display || !GDK_IS_X11_DISPLAY(display)) return FALSE;
  gdk_x11_display_set_window_scale(display, scale);
  return TRUE;
}

// DefaultRootWindow is a macro; makes the X screen's one monitor so large, in physical pixels.
// `replaces` says that an earlier call made one, which has to go first.
static inline void galley_set_monitor(int width, int height, gboolean replaces) {
  Display *x = gdk_x11_get_default_xdisplay();
  Window root = DefaultRootWindow(x);
  XRRScreenResources *resources = XRRGetScreenResources(x, root);
  if (!resources) return;
  XRRMonitorInfo *monitor = XRRAllocateMonitor(x, resources->noutput > 0 ? 1 : 0);
  monitor->name = XInternAtom(x, "galley", False);
  monitor->primary = True;
  monitor->automatic = False;
  monitor->x = monitor->y = 0;
  monitor->width = width;
  monitor->height = height;
  monitor->mwidth = width / 4;
  monitor->mheight = height / 4;
  if (resources->noutput > 0) monitor->outputs[0] = resources->outputs[0];
  if (replaces) XRRDeleteMonitor(x, root, monitor->name);
  XRRSetMonitor(x, root, monitor);
  XRRFreeMonitors(monitor);
  XRRFreeScreenResources(resources);
  XSync(x, False);
}

// gdk_event_get_seat and friends take unions that are clumsy in Swift.
static inline GdkDevice *galley_pointer(void) {
  return gdk_seat_get_pointer(gdk_display_get_default_seat(gdk_display_get_default()));
}

// GdkEvent is a union; coordinates are dip from the view's top-left; kind 4 press, 7 release, 3 motion.
static inline void galley_send_mouse(WebKitWebView *view, int kind, double x, double y, guint32 time) {
  GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(view));
  if (!window) return;
  GdkEvent *event = gdk_event_new((GdkEventType)kind);
  if (kind == GDK_MOTION_NOTIFY) {
    event->motion.window = g_object_ref(window);
    event->motion.time = time;
    event->motion.x = event->motion.x_root = x;
    event->motion.y = event->motion.y_root = y;
    event->motion.device = galley_pointer();
  } else {
    event->button.window = g_object_ref(window);
    event->button.time = time;
    event->button.x = event->button.x_root = x;
    event->button.y = event->button.y_root = y;
    event->button.button = 1;
    event->button.state = kind == GDK_BUTTON_RELEASE ? GDK_BUTTON1_MASK : 0;
    event->button.device = galley_pointer();
  }
  gdk_event_set_device(event, galley_pointer());
  gtk_main_do_event(event);
  gdk_event_free(event);
}

// GdkEvent is a union; kind 37 begin, 38 update, 39 end. The sequence is only a name and must not be freed.
// `clicks` says whether the engine makes mouse events and a click of it, where the page doesn't prevent that.
static inline void galley_send_touch(
    WebKitWebView *view, int kind, double x, double y, guint32 time, gsize sequence, gboolean clicks) {
  GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(view));
  if (!window) return;
  GdkEvent *event = gdk_event_new((GdkEventType)kind);
  event->touch.window = g_object_ref(window);
  event->touch.time = time;
  event->touch.x = event->touch.x_root = x;
  event->touch.y = event->touch.y_root = y;
  event->touch.sequence = (GdkEventSequence *)sequence;
  event->touch.emulating_pointer = clicks;
  event->touch.device = galley_pointer();
  gdk_event_set_device(event, galley_pointer());
  gdk_event_set_source_device(event, galley_pointer());
  gtk_widget_event(GTK_WIDGET(view), event);
  event->touch.sequence = NULL;
  gdk_event_free(event);
}

// GdkEvent is a union; presses and releases one key.
static inline void galley_send_key(WebKitWebView *view, guint keyval, guint32 time) {
  GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(view));
  if (!window) return;
  GdkKeymapKey *keys = NULL;
  gint count = 0;
  gboolean found = gdk_keymap_get_entries_for_keyval(gdk_keymap_get_for_display(gdk_display_get_default()), keyval, &keys, &count);
  for (int i = 0; i < 2; i++) {
    GdkEvent *event = gdk_event_new(i == 0 ? GDK_KEY_PRESS : GDK_KEY_RELEASE);
    event->key.window = g_object_ref(window);
    event->key.send_event = FALSE;
    event->key.time = time;
    event->key.keyval = keyval;
    event->key.hardware_keycode = found && count > 0 ? keys[0].keycode : 0;
    event->key.state = found && count > 0 && keys[0].level == 1 ? GDK_SHIFT_MASK : 0;
    gdk_event_set_device(event, gdk_seat_get_keyboard(gdk_display_get_default_seat(gdk_display_get_default())));
    gtk_widget_event(GTK_WIDGET(view), event);
    gdk_event_free(event);
  }
  g_free(keys);
}

// GDK_FOCUS_CHANGE needs a union member; an offscreen window never gets the focus by itself.
static inline void galley_send_focus(WebKitWebView *view) {
  GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(view));
  if (!window) return;
  gtk_widget_grab_focus(GTK_WIDGET(view));
  GdkEvent *event = gdk_event_new(GDK_FOCUS_CHANGE);
  event->focus_change.window = g_object_ref(window);
  event->focus_change.in = TRUE;
  gtk_widget_send_focus_change(GTK_WIDGET(view), event);
  gdk_event_free(event);
}

// G_TYPE_CHECK macros; which kind of permission a request asks for.
static inline const char *galley_type_name(gpointer object) { return G_OBJECT_TYPE_NAME(object); }

// G_OBJECT and G_CALLBACK are macros.
static inline void galley_connect(gpointer object, const char *signal, void (*callback)(void), gpointer data, GClosureNotify release) {
  g_signal_connect_data(object, signal, callback, data, release, (GConnectFlags)0);
}

// g_error_new is variadic.
static inline GError *galley_error(int code, const char *message) {
  return g_error_new_literal(g_quark_from_static_string("galley"), code, message);
}

// WEBKIT_POLICY_ERROR and WEBKIT_NETWORK_ERROR are macros; whether a load ended because someone decided so.
static inline gboolean galley_is_interruption(const GError *error) {
  return g_error_matches(error, WEBKIT_POLICY_ERROR, WEBKIT_POLICY_ERROR_FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE)
      || g_error_matches(error, WEBKIT_NETWORK_ERROR, WEBKIT_NETWORK_ERROR_CANCELLED);
}

// WEBKIT_NAVIGATION_POLICY_DECISION is a macro, and the decision's subclass decides what can be asked of it.
static inline WebKitNavigationAction *galley_navigation_action(WebKitPolicyDecision *decision) {
  return WEBKIT_IS_NAVIGATION_POLICY_DECISION(decision)
      ? webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision)) : NULL;
}
static inline WebKitResponsePolicyDecision *galley_response_decision(WebKitPolicyDecision *decision) {
  return WEBKIT_IS_RESPONSE_POLICY_DECISION(decision) ? WEBKIT_RESPONSE_POLICY_DECISION(decision) : NULL;
}

// G_VARIANT_TYPE is a macro: a dictionary of strings for script arguments.
static inline GVariant *galley_arguments(const char *const *names, const char *const *values, int count) {
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sv}"));
  for (int i = 0; i < count; i++)
    g_variant_builder_add(&builder, "{sv}", names[i], g_variant_new_string(values[i]));
  return g_variant_builder_end(&builder);
}

// g_variant_new is variadic: what the web process extension is told.
static inline GVariant *galley_extension_data(int reach, const char *clock) {
  return g_variant_new("(is)", reach, clock);
}

// The callback of a file source has a type of its own, which the macro for setting callbacks hides.
static inline GSource *galley_watch_file(int file, gboolean (*callback)(int, GIOCondition, gpointer), gpointer data) {
  GSource *source = g_unix_fd_source_new(file, G_IO_IN);
  g_source_set_callback(source, (GSourceFunc)(void (*)(void))callback, data, NULL);
  g_source_attach(source, g_main_context_default());
  return source;
}
