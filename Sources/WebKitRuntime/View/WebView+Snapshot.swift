internal import CWebKitGTK
internal import Core
internal import Engine
package import Pixels

/// Error if no screenshot could be taken of a web view.
package struct SnapshotError: Error, Sendable, CustomStringConvertible {
  package let description: String
}

extension WebView {
  /// Takes a screenshot that the page paints now without its compositor, in physical pixels; takes about a frame.
  ///
  /// 3D transforms are flattened in it.
  package func snapshot() async throws(SnapshotError) -> Bitmap {
    changes.rise()
    snapshots += 1
    session.clock?.resumePainting()
    defer {
      changes.rise()
      snapshots -= 1
    }
    let outcome = await EngineActor.wait { (wakeup: Wakeup<Result<Bitmap, SnapshotError>>) in
      let box = Unmanaged.passRetained(SnapshotWakeup(wakeup)).toOpaque()
      webkit_web_view_get_snapshot(
        pointer, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, nil, { onSnapshotDone($0, $1, $2) }, box)
    }
    return try outcome.get()
  }
}

private final class SnapshotWakeup: Sendable {
  let wakeup: Wakeup<Result<Bitmap, SnapshotError>>
  init(_ wakeup: Wakeup<Result<Bitmap, SnapshotError>>) { self.wakeup = wakeup }
}

private func onSnapshotDone(_ view: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let view, let data else { return }
  let box = Unmanaged<SnapshotWakeup>.fromOpaque(data).takeRetainedValue()
  var error: UnsafeMutablePointer<GError>?
  let surface = view.withMemoryRebound(to: WebKitWebView.self, capacity: 1) {
    webkit_web_view_get_snapshot_finish($0, result, &error)
  }
  guard let surface else {
    let message = error.map { String(cString: $0.pointee.message) } ?? "no snapshot"
    g_clear_error(&error)
    return box.wakeup.resume(returning: .failure(SnapshotError(description: message)))
  }
  defer { cairo_surface_destroy(surface) }
  cairo_surface_flush(surface)
  guard let pixels = cairo_image_surface_get_data(surface) else {
    return box.wakeup.resume(returning: .failure(SnapshotError(description: "the snapshot has no pixels")))
  }
  let bitmap = Bitmap(
    width: Int(cairo_image_surface_get_width(surface)), height: Int(cairo_image_surface_get_height(surface)),
    copying: pixels, stride: Int(cairo_image_surface_get_stride(surface)))
  box.wakeup.resume(returning: .success(bitmap))
}

extension WebView {
  /// Returns the compositor's last frame in physical pixels, empty if the page isn't shown.
  ///
  /// Drawing takes the frame from the compositor, which doesn't begin another before.
  package func drawing() throws(SnapshotError) -> Bitmap {
    let scale = gtk_widget_get_scale_factor(galley_widget(pointer))
    let (across, down) = (Int32(width) * scale, Int32(height) * scale)
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, across, down)
    defer { cairo_surface_destroy(surface) }
    cairo_surface_set_device_scale(surface, Double(scale), Double(scale))
    draw(on: surface)
    guard let pixels = cairo_image_surface_get_data(surface) else {
      throw SnapshotError(description: "the drawing has no pixels")
    }
    return Bitmap(
      width: Int(across), height: Int(down), copying: pixels, stride: Int(cairo_image_surface_get_stride(surface)))
  }

  /// Takes a frame from the compositor without using it, so that the compositor continues; false if there is no new
  /// frame.
  package func takeFrame() -> Bool {
    guard isComposited, hasNews() else { return false }
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 1, 1)
    defer { cairo_surface_destroy(surface) }
    draw(on: surface)
    return true
  }

  /// Prevents GDK from drawing the compositor's frames, which are left to `takeFrame` and `drawing`.
  ///
  /// GDK would draw each frame as soon as it is ready, and with any animation the compositor would begin another: again
  /// and again for the same instant, as long as time stands still.
  func holdFrames() {
    guard isComposited, let window = gtk_widget_get_window(galley_widget(pointer)) else { return }
    gdk_window_freeze_updates(window)
  }

  /// Indicates if a frame is ready to be drawn.
  private func hasNews() -> Bool {
    guard let window = gtk_widget_get_window(galley_widget(pointer)), let area = gdk_window_get_update_area(window)
    else { return false }
    cairo_region_destroy(area)
    return true
  }

  private func draw(on surface: OpaquePointer?) {
    let canvas = cairo_create(surface)
    gtk_widget_draw(galley_widget(pointer), canvas)
    cairo_destroy(canvas)
    cairo_surface_flush(surface)
  }
}
