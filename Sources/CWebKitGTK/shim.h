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

// A list that ends with NULL. It decides navigator.languages, Accept-Language and what Intl takes unless told.
static inline void galley_set_language(WebKitWebContext *context, const char *language) {
  const char *languages[] = {language, NULL};
  webkit_web_context_set_preferred_languages(context, languages);
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

// The engine hears of the window's activity and of the view's focus each by itself, and tells the page of both: in this
// order always of one after the other. The X server's own word comes later and changes nothing.
static inline void galley_change_focus(GtkWidget *view, GtkWidget *window, gboolean in) {
  GdkWindow *place = gtk_widget_get_window(window);
  if (!place) return;
  for (int step = 0; step < 2; step++) {
    GdkEvent *event = gdk_event_new(GDK_FOCUS_CHANGE);
    event->focus_change.window = g_object_ref(place);
    event->focus_change.in = in;
    gtk_widget_send_focus_change((step == 0) == in ? window : view, event);
    gdk_event_free(event);
  }
}

// A page is seen again before it has the focus again.
static inline gboolean galley_on_window_state(GtkWidget *window, GdkEventWindowState *event, gpointer view) {
  gboolean is_there = !(event->new_window_state & GDK_WINDOW_STATE_WITHDRAWN);
  if (is_there && event->changed_mask & GDK_WINDOW_STATE_WITHDRAWN && g_object_steal_data(G_OBJECT(window), "galley-focus"))
    galley_change_focus(GTK_WIDGET(view), window, TRUE);
  return FALSE;
}

static inline void galley_set_visible(WebKitWebView *view, GtkWidget *window, gboolean visible) {
  if (visible) {
    g_object_set_data(G_OBJECT(window), "galley-focus", window);
    gtk_widget_show(window);
  } else {
    galley_change_focus(GTK_WIDGET(view), window, FALSE);
    gtk_widget_hide(window);
  }
}

// GTK_CONTAINER and GTK_WIDGET are macros. A window of the X server's own, because media never loads in a
// GtkOffscreenWindow; a popup, because no window manager is there to place, decorate or focus it.
static inline GtkWidget *galley_window_around(WebKitWebView *view) {
  GtkWidget *window = gtk_window_new(GTK_WINDOW_POPUP);
  gtk_container_add(GTK_CONTAINER(window), GTK_WIDGET(view));
  g_signal_connect_after(window, "window-state-event", G_CALLBACK(galley_on_window_state), view);
  return window;
}
static inline GtkWidget *galley_widget(WebKitWebView *view) { return GTK_WIDGET(view); }

// GTK_WINDOW is a macro; the allocation is made at once, so that the page is laid out without waiting for the X server.
static inline void galley_window_resize(GtkWidget *window, WebKitWebView *view, int width, int height) {
  gtk_window_resize(GTK_WINDOW(window), width, height);
  GtkAllocation allocation = {0, 0, width, height};
  gtk_widget_size_allocate(window, &allocation);
}

// g_object_set is variadic: no desktop's settings, no blinking caret, the system's font one that is pinned, and no finger
// that rests too long by the machine's time.
static inline void galley_fix_drawing(void) {
  g_object_set(
      gtk_settings_get_default(), "gtk-xft-antialias", 1, "gtk-xft-hinting", 1, "gtk-xft-hintstyle", "hintslight",
      "gtk-xft-rgba", "none", "gtk-xft-dpi", 96 * 1024, "gtk-font-name", "Liberation Sans 11", "gtk-cursor-blink", FALSE,
      "gtk-enable-animations", TRUE, "gtk-application-prefer-dark-theme", FALSE, "gtk-double-click-time", 400,
      "gtk-long-press-time", G_MAXINT, NULL);
}

// g_object_get and g_object_set are variadic: what a person asked their system for, which the engine tells its web
// processes. GTK reads its whole theme anew for each value that is set, also for the one that it has.
static inline void galley_ask_for(gboolean dark, gboolean less_motion) {
  GtkSettings *settings = gtk_settings_get_default();
  gboolean is_dark = FALSE, moves = TRUE;
  g_object_get(settings, "gtk-application-prefer-dark-theme", &is_dark, "gtk-enable-animations", &moves, NULL);
  if (is_dark != dark) g_object_set(settings, "gtk-application-prefer-dark-theme", dark, NULL);
  if (moves == less_motion) g_object_set(settings, "gtk-enable-animations", !less_motion, NULL);
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

// What media queries say that pages are pointed at with (pointer, hover, and both any- forms). The engine asks GDK's seat
// in this process and tells its web processes; the seat only knows the display's devices, so its class answers by the
// render's device. It does so where it is laid out as GDK 3's is: the function stands behind an object's and three others.
static inline gboolean *galley_touch(void) {
  static gboolean is_touch = FALSE;
  return &is_touch;
}

static inline GdkSeatCapabilities galley_seat_capabilities(GdkSeat *seat) {
  return GDK_SEAT_CAPABILITY_KEYBOARD | (*galley_touch() ? GDK_SEAT_CAPABILITY_TOUCH : GDK_SEAT_CAPABILITY_POINTER);
}

static inline gboolean galley_take_seat(GdkSeat *seat) {
  enum { PLACE = sizeof(GObjectClass) + 3 * sizeof(void *) };
  typedef GdkSeatCapabilities (*capabilities)(GdkSeat *);
  GTypeQuery query;
  g_type_query(G_OBJECT_TYPE(seat), &query);
  if (query.class_size < PLACE + sizeof(void *)) return FALSE;
  capabilities *slot = (capabilities *)((char *)G_OBJECT_GET_CLASS(seat) + PLACE);
  capabilities own = *slot;
  if (own == galley_seat_capabilities) return TRUE;
  *slot = galley_seat_capabilities;
  if (gdk_seat_get_capabilities(seat) == galley_seat_capabilities(seat)) return TRUE;
  *slot = own;
  return FALSE;
}

// The engine asks again when a device comes.
static inline void galley_point_with_touch(gboolean touch) {
  GdkDisplay *display = gdk_display_get_default();
  GdkSeat *seat = display ? gdk_display_get_default_seat(display) : NULL;
  if (!seat || !galley_take_seat(seat) || *galley_touch() == touch) return;
  *galley_touch() = touch;
  g_signal_emit_by_name(seat, "device-added", gdk_seat_get_pointer(seat));
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

// How GTK counts taps: by a timer of the machine's, and by how far they are apart. A tap that follows no other one counts
// as far away, and no timer ends one that does.
static inline void galley_count_taps(gboolean follows, gboolean begins) {
  g_object_set(
      gtk_settings_get_default(), "gtk-double-click-time", begins ? G_MAXINT : 400, "gtk-double-click-distance",
      begins ? (follows ? 20 : 0) : 5, NULL);
}

// The engine's gesture of taps, which has it send mouse events and a click, unless the page has taken a touch. It hears of
// touches only as it is told, not with the page, which has prevented nothing by then.
static inline GtkEventController *galley_tap_gesture(WebKitWebView *view) {
  gpointer gesture = g_object_get_data(G_OBJECT(view), "wk-view-multi-press-gesture");
  if (!gesture || !GTK_IS_EVENT_CONTROLLER(gesture)) return NULL;
  gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(gesture), GTK_PHASE_NONE);
  return GTK_EVENT_CONTROLLER(gesture);
}

// GdkEvent is a union; kind 37 begin, 38 update, 39 end. The sequence is only a name and must not be freed. It goes to the
// page, or to the gesture of taps; false where there is none.
static inline gboolean galley_send_touch(
    WebKitWebView *view, int kind, double x, double y, guint32 time, gsize sequence, gboolean taps) {
  GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(view));
  if (!window) return TRUE;
  GtkEventController *gesture = galley_tap_gesture(view);
  if (taps && !gesture) return FALSE;
  GdkEvent *event = gdk_event_new((GdkEventType)kind);
  event->touch.window = g_object_ref(window);
  event->touch.time = time;
  event->touch.x = event->touch.x_root = x;
  event->touch.y = event->touch.y_root = y;
  event->touch.sequence = (GdkEventSequence *)sequence;
  // Else GTK would make a mouse's press and release of it.
  event->touch.emulating_pointer = FALSE;
  event->touch.device = galley_pointer();
  gdk_event_set_device(event, galley_pointer());
  gdk_event_set_source_device(event, galley_pointer());
  if (taps) gtk_event_controller_handle_event(gesture, event);
  else gtk_widget_event(GTK_WIDGET(view), event);
  event->touch.sequence = NULL;
  gdk_event_free(event);
  return TRUE;
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
static inline GVariant *galley_extension_data(int reach, const char *clock, const char *scripts) {
  return g_variant_new("(iss)", reach, clock, scripts);
}

// The callback of a file source has a type of its own, which the macro for setting callbacks hides.
static inline GSource *galley_watch_file(int file, gboolean (*callback)(int, GIOCondition, gpointer), gpointer data) {
  GSource *source = g_unix_fd_source_new(file, G_IO_IN);
  g_source_set_callback(source, (GSourceFunc)(void (*)(void))callback, data, NULL);
  g_source_attach(source, g_main_context_default());
  return source;
}
