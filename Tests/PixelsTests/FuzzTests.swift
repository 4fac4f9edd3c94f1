import Glibc
import Testing

@testable import Pixels

/// Random pictures and files; `GALLEY_FUZZ_ROUNDS` and `GALLEY_FUZZ_SEED` make a longer or another run.
@Suite struct FuzzTests {
  private static func setting(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
  private static let rounds = setting("GALLEY_FUZZ_ROUNDS") ?? 300
  private static let seed = UInt64(setting("GALLEY_FUZZ_SEED") ?? 1)

  @Test func bothDecodersReadEveryLayoutAlike() throws {
    var files = RandomFiles(seed: Self.seed)
    for round in 0..<Self.rounds {
      let file = files.file()
      let raster = try PNGDecoder.raster(file.bytes)
      #expect(try raster.bitmap == PNGDecoder.decode(file.bytes), "round \(round): \(file)")
    }
  }

  @Test func brokenFilesAreAnErrorOrWhatLibspngReads() {
    var files = RandomFiles(seed: Self.seed &+ 1)
    for round in 0..<Self.rounds {
      let bytes = files.broken(files.file())
      guard let bitmap = try? PNGDecoder.raster(bytes).bitmap, let other = try? PNGDecoder.decode(bytes) else {
        continue
      }
      #expect(bitmap == other, "round \(round)")
    }
  }

  /// Compares files whole and row by row, well-formed or broken, of one or two layouts: the result or error is the
  /// same.
  @Test func filesCompareAlikeHoweverTheyAreRead() async {
    var files = RandomFiles(seed: Self.seed &+ 4)
    for round in 0..<Self.rounds {
      let pair = (0..<2).map { _ in
        let file = files.file()
        return Int.random(in: 0..<3, using: &files.numbers) == 0 ? files.broken(file) : file.bytes
      }
      let outcomes = [await outcome(pair[0], pair[1], limit: .max), await outcome(pair[0], pair[1], limit: 0)]
      #expect(outcomes[0] == outcomes[1], "round \(round)")
    }
  }

  private func outcome(_ first: [UInt8], _ second: [UInt8], limit: Int) async -> Result<ImageDifference, PNGError> {
    do throws(PNGError) {
      return .success(try await PNGComparison.compare(first, second, wholeLimit: limit))
    } catch {
      return .failure(error)
    }
  }

  @Test func comparisonsAddUp() async {
    var files = RandomFiles(seed: Self.seed &+ 2)
    for round in 0..<Self.rounds {
      let isEmpty = Int.random(in: 0..<20, using: &files.numbers) == 0
      let (width, height) = isEmpty ? (0, 3) : (files.side(), files.side())
      let isSized = Bool.random(using: &files.numbers)
      let first = files.image(width: width, height: height, channels: Bool.random(using: &files.numbers) ? 3 : 4)
      let second = files.image(
        width: isSized ? width : files.side(), height: isSized ? height : files.side(),
        channels: Bool.random(using: &files.numbers) ? 3 : 4)
      await check(first, second, Self.options(&files), round: round)
    }
  }

  private func check(_ first: Raster, _ second: Raster, _ options: ComparisonOptions, round: Int) async {
    let found = await ImageComparison.compare(first, second, options: options)
    let reversed = await ImageComparison.compare(second, first, options: options)
    #expect(found.differingCount == reversed.differingCount, "round \(round)")
    #expect(found.antialiasedCount == reversed.antialiasedCount, "round \(round)")
    #expect(found.differing.count == found.differingCount, "round \(round)")
    #expect(found.shifted.count == found.shiftedCount, "round \(round)")
    #expect(
      found.regions.reduce(0) { $0 + $1.differing } == found.differingCount + found.shiftedCount, "round \(round)")
    let whole = PixelRect(x: 0, y: 0, width: found.size.width, height: found.size.height)
    #expect(found.regions.allSatisfy { whole.intersection($0.box) == $0.box }, "round \(round)")
    #expect((0...1.0001).contains(found.largest) && found.mean <= found.largest + 1e-9, "round \(round)")
    #expect(DiffImage.highlight(first, found).bounds == whole)
    #expect(await ImageComparison.compare(first, first, options: options).differingCount == 0)
  }

  private static func options(_ files: inout RandomFiles) -> ComparisonOptions {
    let ignored = (0..<Int.random(in: 0...2, using: &files.numbers)).map { _ in
      PixelRect(x: files.side() - 3, y: files.side() - 3, width: files.side(), height: files.side())
    }
    return ComparisonOptions(
      metric: Bool.random(using: &files.numbers) ? .yiq : .oklab, threshold: .random(in: 0...1, using: &files.numbers),
      countsAntialiasing: Bool.random(using: &files.numbers), ignored: ignored,
      shift: Int.random(in: 0...2, using: &files.numbers), window: Bool.random(using: &files.numbers) ? 5 : nil)
  }
}
