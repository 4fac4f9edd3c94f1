internal import Core
internal import MRAID

/// The containers for people: each with its differences, and under each where it is said.
struct ContainerListing {
  let containers: [ContainerProfile]

  var text: String { containers.map(text).joined(separator: "\n") }

  private func text(_ container: ContainerProfile) -> String {
    let lines = container.differences.flatMap { difference in
      [
        "  \(difference.what.rawValue) = \(difference.value.text)", "    \(difference.note)",
        "    \(difference.source) (\(difference.date))",
      ]
    }
    return (["\(container.name)  \(container.title)"] + lines).map { $0.printable + "\n" }.joined()
  }
}
