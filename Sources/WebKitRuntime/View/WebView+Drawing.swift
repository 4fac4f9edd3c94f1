internal import CWebKitGTK
internal import Core
package import Pixels

extension WebView {
  /// The compositor's last frame in physical pixels, nothing of a page that isn't shown.
  ///
  /// Drawing takes the frame off the compositor's hands; until then it doesn't begin another.
  package func drawing() throws(SnapshotError) -> Bitmap {
    let scale = gtk_widget_get_scale_factor(galley_widget(pointer))
    let (across, down) = (Int32(width) * scale, Int32(height) * scale)
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, across, down)
    defer { cairo_surface_destroy(surface) }
    cairo_surface_set_device_scale(surface, Double(scale), Double(scale))
    let canvas = cairo_create(surface)
    gtk_widget_draw(galley_widget(pointer), canvas)
    cairo_destroy(canvas)
    cairo_surface_flush(surface)
    guard let pixels = cairo_image_surface_get_data(surface) else {
      throw SnapshotError(description: "the drawing has no pixels")
    }
    return Bitmap(
      width: Int(across), height: Int(down), copying: pixels, stride: Int(cairo_image_surface_get_stride(surface)))
  }
}
