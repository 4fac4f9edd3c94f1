import Glibc
import Testing

@testable import Pixels

/// Counts beside those of a loop that skips nothing; `GALLEY_FUZZ_ROUNDS` and `GALLEY_FUZZ_SEED` as for the others.
@Suite struct NaiveComparisonTests {
  private static func setting(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
  private static let rounds = (setting("GALLEY_FUZZ_ROUNDS") ?? 300) / 10
  private static let seed = UInt64(setting("GALLEY_FUZZ_SEED") ?? 1)

  /// Every pixel looked at, in no order that matters.
  private func count(_ first: Raster, _ second: Raster, _ options: ComparisonOptions) -> Int {
    let (width, height) = (max(first.width, second.width), max(first.height, second.height))
    let common = (width: min(first.width, second.width), height: min(first.height, second.height))
    let (p, q) = (first.withAlpha, second.withAlpha)
    return p.withPlane { p in
      q.withPlane { q in
        var count = 0
        for y in 0..<height {
          for x in 0..<width {
            let isIgnored = options.ignored.contains { $0.x <= x && x < $0.maxX && $0.y <= y && y < $0.maxY }
            if isIgnored { continue }
            let (isInFirst, isInSecond) = (x < first.width && y < first.height, x < second.width && y < second.height)
            guard isInFirst, isInSecond else {
              count += isInFirst || isInSecond ? 1 : 0
              continue
            }
            let limit = YIQ.greatest * options.threshold * options.threshold
            let (a, b) = (p.pixel(x, y), q.pixel(x, y))
            if a != b, YIQ.squaredDistance(a, b, index: y * common.width + x) > limit { count += 1 }
          }
        }
        return count
      }
    }
  }

  /// From nothing to beyond the bands in which rows are compared, and the blocks in which columns are.
  private func side(_ files: inout RandomFiles) -> Int {
    [0, 1, 15, 16, 17, 63, 64, 65, 255, 256, 257, 300, 520].randomElement(using: &files.numbers) ?? 1
  }

  @Test func countsEveryPixelThatDiffersAndNoOther() async {
    var files = RandomFiles(seed: Self.seed &+ 3)
    for round in 0..<Self.rounds {
      let (width, height) = (side(&files), side(&files))
      let isSized = Int.random(in: 0..<4, using: &files.numbers) > 0
      let first = files.picture(width: width, height: height, channels: Bool.random(using: &files.numbers) ? 3 : 4)
      let second =
        isSized
        ? changed(first, &files)
        : files.picture(width: side(&files), height: side(&files), channels: Bool.random(using: &files.numbers) ? 3 : 4)
      let ignored = PixelRect(x: files.side() - 5, y: files.side() - 5, width: files.side() * 9, height: files.side())
      let options = ComparisonOptions(
        threshold: .random(in: 0...1, using: &files.numbers), countsAntialiasing: true,
        ignored: Bool.random(using: &files.numbers) ? [ignored] : [])
      let found = await ImageComparison.compare(first, second, options: options)
      #expect(found.differingCount == count(first, second, options), "round \(round): \(width)x\(height)")
    }
  }

  /// The picture with a few bytes changed: most blocks and rows stay equal.
  private func changed(_ raster: Raster, _ files: inout RandomFiles) -> Raster {
    var bytes = raster.bytes
    let count = bytes.count - Raster.slack
    for _ in 0..<Int.random(in: 0...30, using: &files.numbers) where count > 0 {
      bytes[Int.random(in: 0..<count, using: &files.numbers)] = .random(in: 0...255, using: &files.numbers)
    }
    return Raster(
      width: raster.width, height: raster.height, channels: raster.channels, lead: raster.lead, bytes: bytes)
  }
}
