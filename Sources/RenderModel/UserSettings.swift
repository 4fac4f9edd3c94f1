/// Colours preferred by the user, as `prefers-color-scheme` reports them.
package enum ColorScheme: String, Hashable, Sendable, Codable, CaseIterable {
  case light, dark

  /// The scheme of a render for which none is given.
  package static let standard = light
}

/// The user's settings in the phone's system and the app, as a caller requests them; nil stands for the standard.
package struct UserSettings: Hashable, Sendable {
  package var locale: LanguageTag?
  package var timeZone: TimeZoneName?
  package var colorScheme: ColorScheme?
  /// True if the user prefers reduced motion, as `prefers-reduced-motion` reports it.
  package var reducedMotion: Bool?

  package init(
    locale: LanguageTag? = nil, timeZone: TimeZoneName? = nil, colorScheme: ColorScheme? = nil,
    reducedMotion: Bool? = nil
  ) {
    (self.locale, self.timeZone) = (locale, timeZone)
    (self.colorScheme, self.reducedMotion) = (colorScheme, reducedMotion)
  }

  /// The settings that differ from the standard; the others are nil.
  package var other: UserSettings {
    UserSettings(
      locale: locale == .standard ? nil : locale, timeZone: timeZone == .standard ? nil : timeZone,
      colorScheme: colorScheme == .standard ? nil : colorScheme, reducedMotion: reducedMotion == true ? true : nil)
  }

  /// Parts of a baseline's name for the settings that aren't standard; `Asia/Tokyo` becomes `Asia-Tokyo`.
  package var words: [String] {
    let other = other
    let asked = [
      other.locale?.text, other.timeZone?.text, other.colorScheme?.rawValue,
      other.reducedMotion == nil ? nil : "reduced-motion",
    ]
    return asked.compactMap { word in word.map { String($0.map { $0 == "/" ? "-" : $0 }) } }
  }
}
