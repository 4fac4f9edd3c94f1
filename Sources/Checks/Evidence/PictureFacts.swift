/// What a picture of the ad alone shows.
package struct PictureFacts: Hashable, Sendable {
  /// As the record names it: `001-default`.
  package var name: String
  /// The one colour it has, `#rrggbb`; nil when there are more.
  package var onlyColor: String?

  package init(name: String, onlyColor: String? = nil) {
    self.name = name
    self.onlyColor = onlyColor
  }
}
