package import MRAID

/// One line of `events.ndjson`; the same creative, device and scenario give the same lines but for `t` and `timing`.
package struct Event: Hashable, Sendable, Codable {
  /// Who did it.
  package enum Source: String, Sendable, Codable, CaseIterable {
    case creative, mraid, modal, ad, vast, feed, page, network, input, host
  }

  /// From 0, without gaps.
  package var seq: Int
  /// Milliseconds since the load began.
  package var t: Double
  package var source: Source
  /// The field's word for it: `expand`, `stateChange`, `push`, `adDidExpand`, `console`.
  package var name: String
  package var detail: JSONValue

  package init(seq: Int, t: Double, source: Source, name: String, detail: JSONValue = .object([:])) {
    self.seq = seq
    self.t = t
    self.source = source
    self.name = name
    self.detail = detail
  }
}
