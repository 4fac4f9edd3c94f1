package import ArgumentParser
package import RenderModel

/// Options for the user's settings on the phone.
package struct UserSettingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The app's language, for creatives and servers (default: en-US).", valueName: "tag"),
    transform: Self.language)
  package var locale: LanguageTag?

  @Option(
    help: ArgumentHelp("The creatives' time zone, like Asia/Tokyo (default: UTC).", valueName: "name"),
    transform: Self.zone)
  package var timeZone: TimeZoneName?

  @Option(
    help: ArgumentHelp(
      "The user's colour scheme, for prefers-color-scheme (default: light).", valueName: "scheme"))
  package var colorScheme: ColorScheme?

  @Flag(help: "The user prefers less motion: prefers-reduced-motion.")
  package var reducedMotion = false

  package init() {}

  package var settings: UserSettings {
    UserSettings(
      locale: locale, timeZone: timeZone, colorScheme: colorScheme, reducedMotion: reducedMotion ? true : nil)
  }

  /// Reads the value of `--locale`.
  private static func language(_ text: String) throws -> LanguageTag {
    guard let tag = LanguageTag(text) else {
      throw ValidationError("'\(text.prefix(60))' isn't a language: write it like pt-BR")
    }
    return tag
  }

  /// Reads the value of `--time-zone`, which must be installed on this machine.
  private static func zone(_ text: String) throws -> TimeZoneName {
    guard let zone = TimeZoneName(text) else {
      throw ValidationError("'\(text.prefix(60))' isn't a time zone: write it like Asia/Tokyo")
    }
    guard zone.isInstalled else {
      throw ValidationError(
        "this machine has no time zone '\(text)': write it like Asia/Tokyo, or install the package tzdata")
    }
    return zone
  }
}

extension ColorScheme: ExpressibleByArgument {}
