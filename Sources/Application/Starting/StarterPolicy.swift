internal import Checks
internal import Device

/// Initial project file, with the default settings active and further ones as comments.
package enum StarterPolicy {
  package static let fileName = "galley.yaml"

  package static var text: String {
    let profiles = ProfileCatalogue.standard.profiles.map(\.id)
    return """
      # What this project's creatives are held to. galley render, check, compare-containers and baseline read it.
      # Lines behind a hash are off; docs/reference/policy.md has them all.

      # Whose rules count, of:
      \(lines(of: profiles))
      profile: [\(ProfileCatalogue.defaultNames.joined(separator: ", "))]

      # Each creative on each of these; 'galley devices' lists them.
      devices: [\(DeviceCatalogue.defaultName)]

      # What fails a check: error, warning or note.
      fail-on: error

      # How much a finding counts here; 'galley checks' lists the checks.
      # severity:
      #   console-error: error
      #   dead-tap: off

      # What was agreed on, and until when.
      # suppress:
      #   - check: custom-close-button
      #     creative: summer-*
      #     reason: agreed with the client
      #     expires: 2040-12-31

      # Options of every command, without their hyphens; a call's own go before them.
      # options:
      #   size: 300x250
      #   container: applovin
      #   seed: 7
      #   offline: true

      """
  }

  /// Returns names as lines of a comment.
  private static func lines(of names: [String]) -> String {
    var lines: [String] = []
    for (index, name) in names.enumerated() {
      let word = name + (index < names.count - 1 ? "," : "")
      if let last = lines.last, last.count + word.count < 100 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append("#   \(word)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
