internal import AdExperience
internal import Jobs
internal import Pixels
internal import Stage

/// Puts pictures on disk, off the web thread. What looks like the sight before it, as an ad at rest does at one instant
/// after another, isn't composed and encoded again.
struct PictureWriter: Sendable {
  /// All that the files of one picture come from.
  struct Sight: Equatable, Sendable {
    let screen: Screen
    /// What every page on the screen shows.
    let pages: [AdViewID: Bitmap]
    /// The ad alone, for a file of its own.
    let ad: Bitmap?
  }

  private struct Files: Sendable {
    let screen: [UInt8]
    let ad: [UInt8]?
  }

  private typealias Encoding = Task<Result<Files, PNGError>, Never>

  private var last: (sight: Sight, files: Encoding)?
  private var writes: [Task<Fault?, Never>] = []
  /// How many sights were encoded, of those written.
  private(set) var encoded = 0

  /// Writes `target.png` and, of the ad alone, `target-ad.png`.
  mutating func write(_ sight: Sight, to target: String) {
    let files = files(of: sight)
    writes.append(Task { await Self.write(files, to: target) })
  }

  /// Writes `target.png` as it is.
  mutating func write(_ picture: Bitmap, to target: String) {
    writes.append(Task { await Self.write(picture, to: target) })
  }

  /// Waits until every picture is on disk; the first failure, if any.
  func finish() async -> Fault? {
    var first: Fault?
    for write in writes { first = await write.value ?? first }
    return first
  }

  private mutating func files(of sight: Sight) -> Encoding {
    if let last, last.sight == sight { return last.files }
    let files = Task { await Self.encode(sight) }
    last = (sight, files)
    encoded += 1
    return files
  }

  @concurrent private static func encode(_ sight: Sight) async -> Result<Files, PNGError> {
    do throws(PNGError) {
      let screen = try PNGEncoder.encode(Compositor().compose(sight.screen, views: sight.pages))
      guard let ad = sight.ad else { return .success(Files(screen: screen, ad: nil)) }
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
      return OutputFolder.fault(error)
    }
  }

  @concurrent private static func write(_ picture: Bitmap, to target: String) async -> Fault? {
    do {
      try PNGEncoder.write(picture, to: "\(target).png")
      return nil
    } catch {
      return OutputFolder.fault(error)
    }
  }
}
