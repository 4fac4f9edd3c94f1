internal import Core

/// A property of a render that wasn't given, with the assumed value and the reason.
package struct Assumption: Hashable, Sendable, Codable {
  package enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
    case device, orientation, placement, size
  }

  package var what: Subject
  /// The assumed value: `desktop`, `interstitial`, `970x250`.
  package var value: String
  /// The reason as the end of a sentence: `its name contains it`.
  package var because: String

  package init(_ what: Subject, _ value: String, because: String) {
    (self.what, self.value, self.because) = (what, value, because)
  }

  /// A full sentence: `size 970x250 assumed, because its name contains it`.
  package var text: String { "\(what.rawValue) \(value) assumed, because \(because)" }
}

extension Assumption {
  /// The assumption of a banner's size; nil if the size was given.
  package init?(_ placement: RenderRecord.PlacementSummary?) {
    guard let placement, placement.assumed == true else { return nil }
    let size = Size(width: placement.width, height: placement.height)
    self.init(.size, size.description, because: (placement.assumedFrom ?? .fallback).because)
  }
}

/// Source of a banner's size that wasn't given.
package enum SizeSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The name of the creative's file or folder: `Acme_300x250.zip`.
  case name
  /// The style of its body, or of the first element in it.
  case body, element
  /// No source: the most common size on phones.
  case fallback
}

extension SizeSource {
  /// Reason for assuming a size, as the end of a sentence after "because".
  package var because: String {
    switch self {
    case .name: "its name contains it"
    case .body: "its body's style sets it"
    case .element: "its first element has it"
    case .fallback: "its size is unknown"
    }
  }

  /// The same reason as the end of a line.
  package var reason: String {
    switch self {
    case .name: "from its name"
    case .body: "from its body's style"
    case .element: "from its first element"
    case .fallback: "as its size is unknown"
    }
  }
}

extension RenderRecord {
  /// The assumptions as sentences; for records that contain only the size's source, the one about the size.
  package var assumed: [String] { (assumptions ?? [Assumption(placement)].compactMap(\.self)).map(\.text) }
}
