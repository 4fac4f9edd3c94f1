internal import Core

/// Video as it is offered: its alternative files, and its tracking.
package struct VASTLinear: Hashable, Sendable {
  /// Length in seconds; nil in a wrapper, or if the document gives none.
  package var duration: Double?
  /// Moment from which the user may skip it; nil if it can't be skipped.
  package var skipOffset: VASTOffset?
  package var mediaFiles: [VASTMediaFile] = []
  /// Interactive files that accompany the video; the first SIMID file is run above it.
  package var interactiveFiles: [VASTMediaFile] = []
  /// Closed captions that accompany the video (4.1), which are reported and never shown.
  package var captions: [VASTCaption] = []
  package var tracking: [VASTTracking] = []
  package var clickThrough: String?
  package var clickTracking: [String] = []
  package var customClicks: [String] = []
  package var icons: [VASTIcon] = []
  package var parameters: String?

  package init() {}
}

/// One file of a video.
package struct VASTMediaFile: Hashable, Sendable {
  package var url: String
  /// Type in lower case, for example `video/mp4`.
  package var type: String
  package var width: Int
  package var height: Int
  /// Kilobits per second.
  package var bitrate: Int?
  package var delivery: Delivery
  /// `VPAID` or `SIMID`: the file is a program and not a video.
  package var apiFramework: String?
  package var codec: String?
  /// Indicates, for an interactive file, that the ad may only be played if the file may pause and extend it.
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

/// File of closed captions.
package struct VASTCaption: Hashable, Sendable {
  package var url: String
  /// Type in lower case, for example `text/vtt`.
  package var type: String
  package var language: String?
}

/// Icon over the video that discloses the program behind the ad, such as AdChoices.
package struct VASTIcon: Hashable, Sendable {
  package var program: String?
  package var width: Double?
  package var height: Double?
  package var x: Place
  package var y: Place
  /// Time of the video at which it appears.
  package var offset: VASTOffset?
  /// Seconds for which it is shown; nil for the rest of the video.
  package var duration: Double?
  /// Resources, in order of preference.
  package var resources: [VASTResource]
  package var clickThrough: String?
  package var clickTracking: [String]
  package var viewTracking: [String]

  /// Resource that is shown; nil if there is none.
  package var resource: VASTResource? { resources.first }

  /// Position of its edge in the video.
  package enum Place: Hashable, Sendable {
    /// At the left or top.
    case start
    /// At the right or bottom.
    case end
    /// Distance in dip from the left or top.
    case at(Double)
  }
}

/// Moment of a video: seconds from its start, or a share of its length.
package enum VASTOffset: Hashable, Sendable {
  case seconds(Double)
  /// Share from 0 to 1.
  case share(Double)

  /// Parses `00:00:05`, `00:00:05.250` or `25%`; nil for anything else.
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

  /// Returns the seconds into a video of this length; nil for a share of an unknown length.
  package func seconds(of duration: Double?) -> Double? {
    switch self {
    case .seconds(let seconds): seconds
    case .share(let share): duration.map { $0 * share }
    }
  }

  /// Parses `HH:MM:SS` with or without milliseconds, the standard's time format; nil for anything else.
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

  /// Formats seconds as `00:00:05.250`.
  package static func text(_ seconds: Double) -> String {
    let all = Bounded.int(seconds * 1000, in: 0...359_999_000)
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let (hours, minutes, rest) = (all / 3_600_000, all / 60_000 % 60, all / 1000 % 60)
    return "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(rest, 2)).\(padded(all % 1000, 3))"
  }

  /// Parses seconds without hours and minutes, such as `30` or `7.5`, which the standard doesn't define.
  static func bareSeconds(_ text: String) -> Double? { Bounded.decimal(text.trimmedXML, in: 0...86_400) }

  private static func whole(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.count <= 4, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text)
  }
}
