internal import Core

/// A film as it is offered: the files it may be played from, and whoever wants to hear of it.
package struct VASTLinear: Hashable, Sendable {
  /// Seconds; nil in a wrapper, or where the document doesn't say.
  package var duration: Double?
  /// When a person may skip it; nil for never.
  package var skipOffset: VASTOffset?
  package var mediaFiles: [VASTMediaFile] = []
  /// Interactive files that go with the film; the first of SIMID is run above it.
  package var interactiveFiles: [VASTMediaFile] = []
  /// Closed captions that go with the film (4.1), told of and never shown.
  package var captions: [VASTCaption] = []
  package var tracking: [VASTTracking] = []
  package var clickThrough: String?
  package var clickTracking: [String] = []
  package var customClicks: [String] = []
  package var icons: [VASTIcon] = []
  package var parameters: String?

  package init() {}
}

/// One file of a film.
package struct VASTMediaFile: Hashable, Sendable {
  package var url: String
  /// `video/mp4`, in lower case.
  package var type: String
  package var width: Int
  package var height: Int
  /// Kilobits a second.
  package var bitrate: Int?
  package var delivery: Delivery
  /// `VPAID`, `SIMID`: not a film but a program.
  package var apiFramework: String?
  package var codec: String?
  /// Of an interactive file: whether the ad may only be played where that may pause and extend it.
  package var needsVariableDuration = false

  package enum Delivery: String, Hashable, Sendable {
    case progressive, streaming
  }

  package init(
    url: String, type: String, width: Int, height: Int, bitrate: Int? = nil, delivery: Delivery = .progressive,
    apiFramework: String? = nil, codec: String? = nil
  ) {
    self.url = url
    self.type = type
    self.width = width
    self.height = height
    self.bitrate = bitrate
    self.delivery = delivery
    self.apiFramework = apiFramework
    self.codec = codec
  }
}

/// A file of closed captions.
package struct VASTCaption: Hashable, Sendable {
  package var url: String
  /// `text/vtt`, in lower case.
  package var type: String
  package var language: String?
}

/// A mark over the film that says whose ad it is: AdChoices.
package struct VASTIcon: Hashable, Sendable {
  package var program: String?
  package var width: Double?
  package var height: Double?
  package var x: Place
  package var y: Place
  /// Seconds of the film before it shows.
  package var offset: VASTOffset?
  /// Seconds it shows; nil for to the end.
  package var duration: Double?
  /// Of the sooner shown first.
  package var resources: [VASTResource]
  package var clickThrough: String?
  package var clickTracking: [String]
  package var viewTracking: [String]

  /// What it is shown by.
  package var resource: VASTResource? { resources.first }

  /// Where its edge stands in the film.
  package enum Place: Hashable, Sendable {
    /// At the left or top.
    case start
    /// At the right or bottom.
    case end
    /// So many dip from the left or top.
    case at(Double)
  }
}

/// A moment of a film: seconds from its start, or a share of it.
package enum VASTOffset: Hashable, Sendable {
  case seconds(Double)
  /// 0–1.
  case share(Double)

  /// `00:00:05`, `00:00:05.250` or `25%`; nil for anything else.
  package init?(_ text: String) {
    let text = text.trimmedXML
    if text.hasSuffix("%") {
      guard let percent = Bounded.decimal(text.dropLast().trimmedXML, in: 0...100) else { return nil }
      self = .share(percent / 100)
    } else {
      guard let seconds = Self.seconds(text) else { return nil }
      self = .seconds(seconds)
    }
  }

  /// Seconds into a film of this length; nil for a share of a length that isn't known.
  package func seconds(of duration: Double?) -> Double? {
    switch self {
    case .seconds(let seconds): seconds
    case .share(let share): duration.map { $0 * share }
    }
  }

  /// `HH:MM:SS` with or without milliseconds, as the standard's times are written.
  package static func seconds(_ text: String) -> Double? {
    let parts = text.trimmedXML.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = whole(parts[0]), let minutes = whole(parts[1]), minutes < 60 else { return nil }
    let second = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(second.count), let seconds = whole(second[0]), seconds < 60 else { return nil }
    guard second.count == 2 else { return Double(hours * 3600 + minutes * 60 + seconds) }
    guard (1...3).contains(second[1].count), let fraction = whole(second[1]) else { return nil }
    let thousandths = fraction * [100, 10, 1][second[1].count - 1]
    return Double((hours * 3600 + minutes * 60 + seconds) * 1000 + thousandths) / 1000
  }

  /// `00:00:05.250`
  package static func text(_ seconds: Double) -> String {
    let all = Bounded.int(seconds * 1000, in: 0...359_999_000)
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let (hours, minutes, rest) = (all / 3_600_000, all / 60_000 % 60, all / 1000 % 60)
    return "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(rest, 2)).\(padded(all % 1000, 3))"
  }

  /// Seconds written without hours and minutes, as in `30` or `7.5`, which the standard doesn't know.
  static func bareSeconds(_ text: String) -> Double? { Bounded.decimal(text.trimmedXML, in: 0...86_400) }

  private static func whole(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.count <= 4, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text)
  }
}
