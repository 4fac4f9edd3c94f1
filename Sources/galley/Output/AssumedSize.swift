internal import Core
internal import Jobs
internal import MRAID

/// The size that creatives got of which nobody said one.
struct AssumedSize {
  private let count: Int
  private let size: String

  init(_ records: [RenderRecord]) {
    let assumed = records.compactMap(\.placement).filter { $0.assumed == true }
    count = assumed.count
    size = assumed.first.map { "\($0.width.plain)x\($0.height.plain)" } ?? ""
  }

  /// What to do about it; nil where all sizes are known.
  var line: String? {
    guard count > 0 else { return nil }
    let whose = count == 1 ? "a creative that doesn't say its size" : "\(count) creatives that don't say their size"
    return "\(size) was assumed for \(whose): --size WxH, --placement interstitial or ad.size\n"
  }
}
