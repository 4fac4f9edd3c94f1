/// How a film is shown in this ad.
package struct VideoSettings: Hashable, Sendable {
  /// Above the app rather than in a slot of its page.
  package var isInterstitial: Bool
  /// Whether it starts without sound.
  package var isMuted: Bool
  /// Whether nothing of the ad comes after it.
  package var isLast: Bool
  /// The file it is played from, as its macro has it.
  package var media: VideoMedia
  /// Its place among the ads of a pod, from 1, and how many there are.
  package var place: Int
  package var count: Int

  package init(isInterstitial: Bool, isMuted: Bool, isLast: Bool, media: VideoMedia, place: Int = 1, count: Int = 1) {
    self.isInterstitial = isInterstitial
    self.isMuted = isMuted
    self.isLast = isLast
    self.media = media
    self.place = place
    self.count = count
  }
}

/// The file a film is played from.
package struct VideoMedia: Hashable, Sendable {
  /// As the document has it.
  package var url: String
  package var type: String

  package init(url: String, type: String) {
    self.url = url
    self.type = type
  }
}
