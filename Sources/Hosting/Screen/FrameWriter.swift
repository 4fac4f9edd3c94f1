package import Core
package import Device
internal import Files
package import Pixels

/// Contents of the screen in one frame, from which all files of a screenshot are made.
package struct FrameContents: Equatable, Sendable {
  package let screen: Screen
  /// Images of all pages on the screen.
  package let pages: [AdViewID: Bitmap]
  /// Image of the ad alone, for a file of its own.
  package let ad: Bitmap?

  package init(screen: Screen, pages: [AdViewID: Bitmap], ad: Bitmap?) {
    self.screen = screen
    self.pages = pages
    self.ad = ad
  }
}

/// Writes images of frames to disk, off the web thread.
///
/// Contents equal to those before them, as of an ad at rest, aren't composed and encoded again.
package struct FrameWriter: Sendable {
  private struct Files: Sendable {
    let screen: [UInt8]
    let ad: [UInt8]?
  }

  private let encoder: ScreenEncoder

  /// - Parameter encoder: the encoder that keeps data common to several frames.
  package init(encoder: ScreenEncoder) {
    self.encoder = encoder
  }

  private typealias Encoding = Task<Result<Files, PNGError>, Never>

  private var last: (contents: FrameContents, files: Encoding)?
  private var writes: [Task<Fault?, Never>] = []
  /// Number of contents that were encoded, of those written.
  package private(set) var encoded = 0

  /// Writes `target.png` and, if there is an ad, `target-ad.png`.
  package mutating func write(_ contents: FrameContents, to target: String) {
    let files = files(of: contents)
    writes.append(Task { await Self.write(files, to: target) })
  }

  /// Writes the image as `target.png`.
  package mutating func write(_ image: Bitmap, to target: String) {
    writes.append(Task { await Self.write(image, to: target) })
  }

  /// Waits until every image is on disk; returns the first failure, if any.
  package func finish() async -> Fault? {
    var first: Fault?
    for write in writes {
      let fault = await write.value
      first = first ?? fault
    }
    return first
  }

  private mutating func files(of contents: FrameContents) -> Encoding {
    if let last, last.contents == contents { return last.files }
    let files = Task { [encoder] in await Self.encode(contents, encoder) }
    last = (contents, files)
    encoded += 1
    return files
  }

  @concurrent private static func encode(
    _ contents: FrameContents, _ encoder: ScreenEncoder
  ) async -> Result<Files, PNGError> {
    do throws(PNGError) {
      let screen = try encoder.encode(contents.screen, views: contents.pages)
      guard let ad = contents.ad else { return .success(Files(screen: screen, ad: nil)) }
      return .success(Files(screen: screen, ad: try PNGEncoder.encode(ad)))
    } catch {
      return .failure(error)
    }
  }

  @concurrent private static func write(
    _ files: Encoding, to target: String
  ) async -> Fault? {
    do throws(PNGError) {
      let files = try await files.value.get()
      try PNGFile.write(files.screen, to: "\(target).png")
      if let ad = files.ad { try PNGFile.write(ad, to: "\(target)-ad.png") }
      return nil
    } catch {
      return error.fault
    }
  }

  @concurrent private static func write(_ image: Bitmap, to target: String) async -> Fault? {
    do {
      try PNGEncoder.write(image, to: "\(target).png")
      return nil
    } catch {
      return error.fault
    }
  }
}

extension PNGError {
  /// Fault for a screenshot that couldn't be written.
  var fault: Fault {
    if case .file(_, let path, let number) = self { return .writing(path, SystemError(number)) }
    return .engine(code, description)
  }
}
