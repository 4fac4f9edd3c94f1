package import Comparison
package import Core
internal import Pixels
internal import RenderModel

/// Writes pictures of what differs below a folder, in folders named after the results.
package struct DiffPictures {
  private let folder: String
  /// Whether only the highlight is wanted, as pages do.
  private let isBrief: Bool

  package init(folder: String, isBrief: Bool = false) {
    (self.folder, self.isBrief) = (folder, isBrief)
  }

  /// Adds to a picture that differs the paths of what was written for it.
  package func write(_ picture: inout PictureVerdict, below name: String) throws(Fault) {
    guard let difference = picture.difference, let first = picture.first, let second = picture.second else { return }
    let target = ResultFolder(name.isEmpty ? folder : "\(folder)/\(name)")
    try target.create()
    let stem = "\(target.path)/\(picture.name.hasSuffix(".png") ? String(picture.name.dropLast(4)) : picture.name)"
    do throws(PNGError) {
      let (one, other) = (try PNGDecoder.raster(path: first), try PNGDecoder.raster(path: second))
      let highlight = DiffPicture.highlight(one, difference)
      try PNGEncoder.write(highlight, to: "\(stem).highlight.png")
      picture.written["highlight"] = "\(stem).highlight.png"
      if isBrief { return }
      let (before, after) = (one.bitmap, other.bitmap)
      try PNGAnimation.write(DiffPicture.blink(before, after), delay: 500, to: "\(stem).blink.png")
      picture.written["blink"] = "\(stem).blink.png"
      try PNGEncoder.write(DiffPicture.beside(before, highlight, after), to: "\(stem).beside.png")
      picture.written["beside"] = "\(stem).beside.png"
    } catch {
      // Three beside one another can be larger than a picture may be; what comes before is there all the same.
      if case .tooLarge = error { picture.problem = "\(error)" } else { throw Self.fault(error) }
    }
  }

  private static func fault(_ error: PNGError) -> Fault {
    switch error.code {
    case "png-disk-full", "png-out-of-memory": .engine(error.code, "\(error)")
    default: .request(error.code, "\(error)")
    }
  }
}
