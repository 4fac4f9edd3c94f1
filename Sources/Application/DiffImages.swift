package import Comparison
package import Core
internal import Pixels
internal import RenderModel

/// Writes diff pictures below a folder, in subfolders named after the results.
package struct DiffImages {
  private let folder: String
  /// Indicates if only the highlight is written, as for pages.
  private let isBrief: Bool

  package init(folder: String, isBrief: Bool = false) {
    (self.folder, self.isBrief) = (folder, isBrief)
  }

  /// Writes the diff pictures of a screenshot and adds their paths to it.
  package func write(_ screenshot: inout ScreenshotVerdict, below name: String) throws(Fault) {
    guard let difference = screenshot.difference, let first = screenshot.first, let second = screenshot.second else {
      return
    }
    let target = ResultFolder(name.isEmpty ? folder : "\(folder)/\(name)")
    try target.create()
    let stem =
      "\(target.path)/\(screenshot.name.hasSuffix(".png") ? String(screenshot.name.dropLast(4)) : screenshot.name)"
    do throws(PNGError) {
      let (one, other) = (try PNGDecoder.raster(path: first), try PNGDecoder.raster(path: second))
      let highlight = DiffImage.highlight(one, difference)
      try PNGEncoder.write(highlight, to: "\(stem).highlight.png")
      screenshot.written["highlight"] = "\(stem).highlight.png"
      if isBrief { return }
      let (before, after) = (one.bitmap, other.bitmap)
      try PNGAnimation.write(DiffImage.blink(before, after), delay: 500, to: "\(stem).blink.png")
      screenshot.written["blink"] = "\(stem).blink.png"
      try PNGEncoder.write(DiffImage.beside(before, highlight, after), to: "\(stem).beside.png")
      screenshot.written["beside"] = "\(stem).beside.png"
    } catch {
      // Three beside one another can be larger than a picture may be; what comes before is there all the same.
      if case .tooLarge = error { screenshot.problem = "\(error)" } else { throw Self.fault(error) }
    }
  }

  private static func fault(_ error: PNGError) -> Fault {
    switch error.code {
    case "png-disk-full", "png-out-of-memory": .engine(error.code, "\(error)")
    default: .request(error.code, "\(error)")
    }
  }
}
