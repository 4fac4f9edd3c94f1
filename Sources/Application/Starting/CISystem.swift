package import Core

/// CI system for which there is a template.
package enum CISystem: String, Sendable, CaseIterable {
  case github, gitlab, jenkins, azure, circleci

  /// Path of the system's file from the repository's root.
  package var path: String {
    switch self {
    case .github: ".github/workflows/creatives.yml"
    case .gitlab: ".gitlab-ci.yml"
    case .jenkins: "Jenkinsfile"
    case .azure: "azure-pipelines.yml"
    case .circleci: ".circleci/config.yml"
    }
  }

  private var ready: [UInt8] {
    switch self {
    case .github: PackageResources.github_actions_yml
    case .gitlab: PackageResources.gitlab_ci_yml
    case .jenkins: PackageResources.Jenkinsfile
    case .azure: PackageResources.azure_pipelines_yml
    case .circleci: PackageResources.circleci_yml
    }
  }

  /// Folder of creatives in the templates; `places` are the texts before it.
  private static let folder = "creatives"
  private static let places = [
    "galley check ", "\n            check ", "\n      check ", "verify ", "creatives: ",
  ]

  /// Returns the file for creatives in a folder below the repository's root.
  /// - Throws: `ci-folder-invalid` for a name that shells or these files would interpret differently.
  package func text(creatives: String) throws(Fault) -> String {
    let text = String(decoding: ready, as: UTF8.self)
    guard creatives != Self.folder else { return text }
    guard !creatives.contains(where: { $0.isNewline || "\"'$`\\#:".contains($0) }), !creatives.hasPrefix("-") else {
      throw .request("ci-folder-invalid", "'\(creatives.printable)' can't be written in a CI file: rename the folder")
    }
    let isPlain = creatives.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/".contains($0)) }
    let word = isPlain ? creatives : "\"\(creatives)\""
    return Self.places.reduce(text) { text, place in
      ["\n", " "].reduce(text) { $0.replacing(place + Self.folder + $1, with: place + word + $1) }
    }
  }
}
