internal import CPango
internal import Core
internal import FoundationEssentials
internal import Pixels

/// Contact sheet of screenshots as PDF: A4, three creatives per row, text that can be searched and copied.
struct ContactPages {
  /// Sizes in points: the page, its margin, the head of the first page and the foot of each.
  private static let (width, height, margin, head, foot) = (595.0, 842.0, 36.0, 52.0, 20.0)
  private static let (columns, rows, gap) = (3, 4, 14.0)
  /// Height in points of a cell's text.
  private static let words = 58.0
  /// Maximum number of pixels per point that images are stored with, and their JPEG quality.
  private static let (fineness, quality) = (3.0, 88)
  /// Maximum size of a plan in bytes.
  private static let largest = 64 << 20

  private let plan: ContactPlan
  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// Draws a plan into a file, which appears complete or not at all.
  static func write(_ plan: String, to file: String) throws(Fault) {
    guard let bytes = try? FileReading.regular(plan, most: largest),
      let plan = try? JSONDecoder().decode(ContactPlan.self, from: Data(bytes))
    else { throw FilmFailure.call }
    let target = Target()
    let pages = try ContactPages(plan, target)
    try pages.draw()
    try FilmFile.write(file) { sink throws(Fault) in try sink(target.bytes) }
  }

  /// Bytes of the PDF drawn so far.
  private final class Target {
    var bytes: [UInt8] = []
  }

  private init(_ plan: ContactPlan, _ target: Target) throws(Fault) {
    self.plan = plan
    let surface = cairo_pdf_surface_create_for_stream(
      { closure, data, length in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<Target>.fromOpaque(closure).takeUnretainedValue().bytes.append(
          contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(target).toOpaque(), Self.width, Self.height)
    guard let surface, let context = cairo_create(surface) else {
      throw .engine("sheet-failed", "can't create a PDF")
    }
    (self.surface, self.context) = (surface, context)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, plan.title)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, plan.maker)
    // The same results give the same bytes whenever.
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z")
  }

  private func draw() throws(Fault) {
    let each = Self.columns * Self.rows
    let pages = max(1, (plan.cells.count + each - 1) / each)
    for page in 0..<pages {
      let top = page == 0 ? Self.margin + Self.head : Self.margin
      if page == 0 { drawHead() }
      let width = (Self.width - 2 * Self.margin - Double(Self.columns - 1) * Self.gap) / Double(Self.columns)
      let space = Self.height - top - Self.margin - Self.foot
      let height = (space - Double(Self.rows - 1) * Self.gap) / Double(Self.rows)
      for (index, cell) in plan.cells.dropFirst(page * each).prefix(each).enumerated() {
        let left = Self.margin + Double(index % Self.columns) * (width + Self.gap)
        try draw(
          cell, Rect(x: left, y: top + Double(index / Self.columns) * (height + Self.gap), width: width, height: height)
        )
      }
      text(
        "\(plan.maker) · page \(page + 1) of \(pages)", x: Self.margin, y: Self.height - Self.margin - 8,
        width: Self.width - 2 * Self.margin, size: 7, colour: Self.grey)
      cairo_show_page(context)
    }
    cairo_surface_finish(surface)
    let status = cairo_surface_status(surface)
    cairo_destroy(context)
    cairo_surface_destroy(surface)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw .engine("sheet-failed", "can't draw the PDF: \(String(cString: cairo_status_to_string(status)))")
    }
  }

  private static let (ink, grey) = (Color(rgb: 0x1B1F24), Color(rgb: 0x5A6370))

  private func drawHead() {
    let width = Self.width - 2 * Self.margin
    text(plan.title, x: Self.margin, y: Self.margin - 4, width: width, size: 15, isBold: true)
    text(plan.facts, x: Self.margin, y: Self.margin + 20, width: width, size: 8, colour: Self.grey)
  }

  private func draw(_ cell: ContactPlan.Cell, _ place: Rect) throws(Fault) {
    let box = Rect(x: place.x, y: place.y, width: place.width, height: place.height - Self.words)
    set(Color(rgb: 0xF1F3F5))
    cairo_rectangle(context, box.x, box.y, box.width, box.height)
    cairo_fill(context)
    if let picture = Self.picture(cell.pictures) {
      try draw(picture, in: Rect(x: box.x + 4, y: box.y + 4, width: box.width - 8, height: box.height - 8))
    } else {
      text("no screenshot", x: box.x + 8, y: box.y + 8, width: box.width - 16, size: 8, colour: Self.grey)
    }
    var line = box.y + box.height + 4
    text(cell.name, x: place.x, y: line, width: place.width, size: 8.5, isBold: true)
    line += 13
    let colour =
      switch cell.tone {
      case .good: Color(rgb: 0x1A7F37)
      case .bad: Color(rgb: 0xB42318)
      case .plain: Self.grey
      }
    text(cell.verdict, x: place.x, y: line, width: place.width, size: 7.5, colour: colour)
    for words in cell.lines.prefix(3) {
      line += 10.5
      text(words, x: place.x, y: line, width: place.width, size: 7, colour: Self.grey)
    }
  }

  /// Returns the first picture that isn't of a single colour, otherwise the first that can be read; nil if none can.
  private static func picture(_ paths: [String]) -> Bitmap? {
    var first: Bitmap?
    for path in paths {
      guard let picture = try? Pictures.read(path) else { continue }
      if !picture.isUniform { return picture }
      first = first ?? picture
    }
    return first
  }

  /// Draws a picture as large as the box allows, but at most one point per pixel.
  private func draw(_ picture: Bitmap, in box: Rect) throws(Fault) {
    let scale = min(box.width / Double(picture.width), box.height / Double(picture.height), 1)
    let (width, height) = (Double(picture.width) * scale, Double(picture.height) * scale)
    let share = min(1, scale * Self.fineness)
    let small = picture.resampled(
      width: Bounded.int(Double(picture.width) * share, in: 1...picture.width),
      height: Bounded.int(Double(picture.height) * share, in: 1...picture.height))
    let whole = small.isOpaque ? small : small.onWhite
    let data = try JPEGEncoder(whole).bytes(Self.quality, finely: true)
    guard let image = Self.surface(whole, data) else { throw .engine("sheet-failed", "out of memory for an image") }
    defer { cairo_surface_destroy(image) }
    cairo_save(context)
    cairo_translate(context, box.x + (box.width - width) / 2, box.y + (box.height - height) / 2)
    cairo_scale(context, width / Double(whole.width), height / Double(whole.height))
    cairo_set_source_surface(context, image, 0, 0)
    cairo_paint(context)
    cairo_restore(context)
  }

  /// Returns a surface that is stored in the PDF as the given JPEG; nil without memory for it.
  private static func surface(_ picture: Bitmap, _ jpeg: [UInt8]) -> OpaquePointer? {
    guard let image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(picture.width), Int32(picture.height)),
      let target = cairo_image_surface_get_data(image)
    else { return nil }
    let stride = Int(cairo_image_surface_get_stride(image))
    picture.pixels.withUnsafeBytes { source in
      for row in 0..<picture.height {
        guard let base = source.baseAddress else { continue }
        UnsafeMutableRawPointer(target + row * stride).copyMemory(
          from: base + row * picture.width * 4, byteCount: picture.width * 4)
      }
    }
    cairo_surface_mark_dirty(image)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: jpeg.count)
    copy.initialize(from: jpeg, count: jpeg.count)
    let status = cairo_surface_set_mime_data(
      image, CAIRO_MIME_TYPE_JPEG, copy, UInt(jpeg.count), { $0?.deallocate() }, copy)
    guard status == CAIRO_STATUS_SUCCESS else {
      copy.deallocate()
      return nil
    }
    return image
  }

  private func set(_ colour: Color) {
    let channel = { (shift: UInt32) in Double(colour.premultiplied >> shift & 255) / 255 }
    cairo_set_source_rgb(context, channel(16), channel(8), channel(0))
  }

  /// Draws one line of text, shortened in its middle if it is too long.
  private func text(
    _ text: String, x: Double, y: Double, width: Double, size: Double, isBold: Bool = false, colour: Color = ink
  ) {
    guard let layout = pango_cairo_create_layout(context), let font = pango_font_description_new() else { return }
    defer {
      g_object_unref(UnsafeMutableRawPointer(layout))
      pango_font_description_free(font)
    }
    pango_font_description_set_family(font, "Liberation Sans, DejaVu Sans, sans-serif")
    pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
    if isBold { pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD) }
    pango_layout_set_font_description(layout, font)
    pango_layout_set_width(layout, Int32(Bounded.int(width, in: 1...1_000)) * PANGO_SCALE)
    pango_layout_set_height(layout, -1)
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_MIDDLE)
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_text(layout, text, -1)
    set(colour)
    cairo_move_to(context, x, y)
    pango_cairo_show_layout(context, layout)
  }
}
