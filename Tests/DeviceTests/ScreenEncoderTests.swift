import Core
import MRAID
import Pixels
import Testing

@testable import Device

@Suite struct ScreenEncoderTests {
  /// A picture for every view, whose pixels are all different; `clear` makes some of them transparent.
  private func images(for screen: Screen, seed: UInt32, clear: Bool = false, less: Int = 0) -> [ViewID: Bitmap] {
    Samples.images(for: screen).mapValues { image in
      var image = image.crop(PixelRect(x: 0, y: 0, width: image.width - less, height: image.height - less))
      for index in image.pixels.indices {
        let value = UInt32(truncatingIfNeeded: index) &* 0x9E37_79B1 &+ seed
        image.pixels[index] = clear && value & 0x300 == 0 ? 0 : 0xFF00_0000 | value >> 8
      }
      return image
    }
  }

  private static var background: Screen {
    var screen = Samples.banner()
    screen.isForeground = false
    return screen
  }

  private static var empty: Screen {
    var screen = Samples.banner()
    screen.slot = nil
    screen.layers.removeAll { $0.kind == .ad }
    return screen
  }

  /// An ad that stands over another, both in the page.
  private static var twoAds: Screen {
    var screen = Samples.banner()
    screen.layers.insert(screen.adLayer(showing: "other", frame: Rect(x: 300, y: 440, width: 80, height: 90)), at: 2)
    return screen
  }

  static let screens: [Screen] =
    SlotPosition.allCases.map { Samples.banner(position: $0) } + [
      Samples.banner("iphone-se-3"), Samples.banner("desktop"), Samples.banner("ipad-mini", scroll: -90),
      Samples.banner(scroll: 379), Samples.banner(scroll: 390), Samples.banner(scroll: 2_000),
      Samples.banner(scroll: -600),
      Samples.banner(size: Size(width: 300, height: 250)), Samples.banner(size: Size(width: 500, height: 900)),
      Samples.banner(size: Size(width: 299.6, height: 49.7)), Samples.banner().rotated(to: .landscape),
      Samples.expanded(), Samples.resized(to: Rect(x: -20.3, y: 300.7, width: 300.2, height: 250.1)), Samples.browser(),
      background, empty, twoAds,
    ]

  @Test(arguments: screens)
  func filesShowWhatTheCompositorDraws(_ screen: Screen) throws {
    let encoder = ScreenEncoder()
    for views in [
      images(for: screen, seed: 1), images(for: screen, seed: 77), images(for: screen, seed: 5, clear: true),
      images(for: screen, seed: 6, less: 1), images(for: screen, seed: 7, less: 9), [:],
    ] {
      let file = try encoder.encode(screen, views: views)
      #expect(try PNGDecoder.decode(file) == Compositor().compose(screen, views: views))
    }
  }

  @Test func screensThatDifferInTheirAdsOnlyShareATemplate() throws {
    let encoder = ScreenEncoder()
    for seed in [UInt32(1), 2, 3] {
      let screen = Samples.banner()
      _ = try encoder.encode(screen, views: images(for: screen, seed: seed))
    }
    #expect(encoder.layouts == [ScreenTemplate.Layout(Samples.banner())])
    #expect(ScreenTemplate.Layout(Samples.banner())?.rows == 1239..<1389)
  }

  @Test func whatIsDrawnOverAdsNeedsNoTemplate() throws {
    let encoder = ScreenEncoder()
    let resized = Samples.resized(to: Rect(x: 0, y: 300, width: 300, height: 90))
    for screen in [Samples.expanded(), Samples.browser(), resized] {
      #expect(ScreenTemplate.Layout(screen) == nil)
      _ = try encoder.encode(screen, views: images(for: screen, seed: 1))
    }
    #expect(encoder.layouts.isEmpty)
  }

  @Test func adsOnMostOfTheScreenNeedNoTemplate() {
    let most = Samples.banner(size: Size(width: 393, height: 430))
    #expect(ScreenTemplate.Layout(most) == nil)
    #expect(ScreenTemplate.Layout(Samples.banner(size: Size(width: 393, height: 420))) != nil)
  }

  @Test func templatesUsedLongestAgoAreForgotten() throws {
    let screens = (0..<4).map { Samples.banner("iphone-se-3", scroll: Double($0) * 10) }
    let size = try ScreenTemplate(#require(ScreenTemplate.Layout(screens[0]))).byteCount
    let encoder = ScreenEncoder(capacity: size * 5 / 2)
    func use(_ index: Int) throws {
      _ = try encoder.encode(screens[index], views: images(for: screens[index], seed: 1))
    }
    func kept(_ indices: [Int]) -> [ScreenTemplate.Layout?] { indices.map { ScreenTemplate.Layout(screens[$0]) } }
    for index in [0, 1] { try use(index) }
    #expect(encoder.layouts == kept([0, 1]))
    try use(0)
    #expect(encoder.layouts == kept([1, 0]))
    try use(2)
    #expect(encoder.layouts == kept([0, 2]))
    for index in [3, 1, 2, 0] {
      try use(index)
      #expect(encoder.byteCount <= size * 5 / 2)
    }
    #expect(encoder.layouts == kept([2, 0]))
  }

  @Test func whatIsTooLargeToKeepIsDrawnEachTime() throws {
    let encoder = ScreenEncoder(capacity: 1_000)
    let screen = Samples.banner()
    for seed in [UInt32(1), 2] {
      let views = images(for: screen, seed: seed)
      #expect(try PNGDecoder.decode(encoder.encode(screen, views: views)) == Compositor().compose(screen, views: views))
    }
    #expect(encoder.layouts.isEmpty)
    #expect(encoder.byteCount == 0)
  }

  @Test func severalAtOnceComeOutAsOneByOne() async throws {
    let encoder = ScreenEncoder()
    let screen = Samples.banner("iphone-se-3")
    let files = try await withThrowingTaskGroup(of: (UInt32, [UInt8]).self) { group in
      for seed in UInt32(0)..<8 {
        let views = images(for: screen, seed: seed)
        group.addTask { (seed, try encoder.encode(screen, views: views)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (seed, file) in files {
      #expect(try PNGDecoder.decode(file) == Compositor().compose(screen, views: images(for: screen, seed: seed)))
    }
    #expect(files.count == 8)
    #expect(encoder.layouts.count == 1)
  }
}
