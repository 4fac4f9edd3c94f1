internal import Pixels

/// One picture of `galley diff --json`.
struct PictureDocument: Encodable {
  struct Box: Encodable {
    let x, y, width, height: Int
    init(_ rect: PixelRect) { (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height) }
  }
  struct Size: Encodable {
    let width, height: Int
    init(_ size: PixelSize) { (width, height) = (size.width, size.height) }
  }
  struct Shift: Encodable {
    let x, y: Int
  }
  struct Region: Encodable {
    let box: Box
    let differing: Int
    let shift: Shift?
  }
  struct Densest: Encodable {
    let box: Box
    let differing: Int
  }
  struct Difference: Encodable {
    let first: Size
    let second: Size
    let differing: Int
    let antialiased: Int
    let shifted: Int
    let ratio: Double
    let largest: Double
    let mean: Double
    let box: Box?
    let regions: [Region]
    let regionCount: Int
    let densest: Densest?
  }

  /// The most regions told: the largest.
  private static let most = 100

  let name: String
  let verdict: Verdict
  let first: String?
  let second: String?
  let difference: Difference?
  let problem: String?
  let written: [String: String]?

  init(_ picture: PictureVerdict) {
    (name, verdict, first, second) = (picture.name, picture.verdict, picture.first, picture.second)
    problem = picture.problem
    written = picture.written.isEmpty ? nil : picture.written
    difference = picture.difference.map(Self.difference)
  }

  private static func difference(_ found: ImageDifference) -> Difference {
    Difference(
      first: Size(found.first), second: Size(found.second), differing: found.differingCount,
      antialiased: found.antialiasedCount, shifted: found.shiftedCount, ratio: found.ratio, largest: found.largest,
      mean: found.mean, box: found.box.map(Box.init),
      regions: found.regions.prefix(most).map { region in
        Region(
          box: Box(region.box), differing: region.differing, shift: region.shift.map { Shift(x: $0.x, y: $0.y) })
      },
      regionCount: found.regions.count,
      densest: found.densest.map { Densest(box: Box($0.box), differing: $0.differing) })
  }
}
