internal import Core

/// Why a custom screen such as `390x844@3` can't be used; whoever wrote it has to act.
package enum ScreenFormatError: Error, Hashable, Sendable {
  /// Not of the form WIDTHxHEIGHT or WIDTHxHEIGHT@SCALE.
  case malformed(String)
  /// A side outside 50 to 4096 dip.
  case sideOutOfRange(Double)
  /// A scale outside 1 to 4.
  case scaleOutOfRange(Double)
  /// More physical pixels than a screenshot may have.
  case tooManyPixels(Int)

  /// Stable, for machines.
  package var code: String {
    switch self {
    case .malformed: "screen-malformed"
    case .sideOutOfRange: "screen-side"
    case .scaleOutOfRange: "screen-scale"
    case .tooManyPixels: "screen-pixels"
    }
  }
}

extension ScreenFormatError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let text): "'\(text)' is no screen: write WIDTHxHEIGHT@SCALE in dip, such as 390x844@3"
    case .sideOutOfRange(let side): "a screen's sides are 50 to 4096 dip, not \(side.plain)"
    case .scaleOutOfRange(let scale): "a screen's scale is 1 to 4, not \(scale.plain)"
    case .tooManyPixels(let count): "a screen has at most 100 million physical pixels, not \(count)"
    }
  }
}
