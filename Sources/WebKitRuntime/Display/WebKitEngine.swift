internal import CClock
internal import CWebKitGTK
internal import Core
internal import Glibc

/// The engine as a whole: its environment, its version, its display.
package enum WebKitEngine {
  /// The engine can't run on this machine.
  package struct StartError: Error, CustomStringConvertible {
    package let description: String
  }

  /// `2.50.6`
  package static var version: String {
    "\(webkit_get_major_version()).\(webkit_get_minor_version()).\(webkit_get_micro_version())"
  }

  /// Sets what the engine reads from the environment; before the first use of `WebKitActor`.
  package static func prepareEnvironment(display: String) {
    let values = [
      "DISPLAY": display,
      "GDK_BACKEND": "x11",
      // Each of these spares start-up time or a helper process.
      "NO_AT_BRIDGE": "1",
      "GIO_USE_VFS": "local",
      "GSETTINGS_BACKEND": "memory",
      "GTK_A11Y": "none",
      // Any other value leaves composited pages without a compositor.
      "WEBKIT_DISABLE_DMABUF_RENDERER": "0",
      // Pictures don't depend on the person's desktop.
      "GTK_THEME": "Adwaita",
      "GTK_CSD": "0",
      "LIBGL_ALWAYS_SOFTWARE": "1",
      "GDK_SCALE": "1",
      "GDK_DPI_SCALE": "1",
    ]
    FontSetup.prepareEnvironment()
    for (name, value) in values { setenv(name, value, 1) }
    let others = ["WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "GTK_MODULES", CLOCK_NETWORK_VARIABLE]
    for name in others { unsetenv(name) }
  }

  /// Keeps freed memory for reuse: pictures come and go by the dozen of megabytes, and zeroing them anew costs more.
  package static func keepFreedMemory() { galley_keep_freed_memory() }

  /// Opens the display; throws when GTK can't.
  package static func start() async throws(StartError) {
    let open = await WebKitActor.run { WebKitActor.displayIsOpen }
    if open { await FontSetup.fixDrawing() }
    guard open else {
      throw StartError(description: "GTK can't open the display \(getenv("DISPLAY").map { String(cString: $0) } ?? "")")
    }
  }

  /// Clears away what was made for the engine; before the process ends.
  package static func end() { EngineFolders.removeAll() }

  @WebKitActor private static var monitorIsSet = false

  /// Makes the screen that new web views see: `width` × `height` dip at `scale` pixels each.
  @WebKitActor package static func setScreen(width: Int, height: Int, scale: Int) {
    let (across, down) = (Bounded.product(width, scale), Bounded.product(height, scale))
    galley_set_monitor(Int32(clamping: across), Int32(clamping: down), monitorIsSet ? 1 : 0)
    // GDK looks at the monitors again when the scale changes, and only then.
    if !monitorIsSet, scale == 1 { _ = galley_set_scale(2) }
    monitorIsSet = true
    _ = galley_set_scale(Int32(scale))
  }

  /// The same, unless a screen was set before: web processes keep to the one that the first of them found.
  @WebKitActor package static func setFirstScreen(width: Int, height: Int, scale: Int) {
    guard !monitorIsSet else { return }
    setScreen(width: width, height: height, scale: scale)
  }
}
