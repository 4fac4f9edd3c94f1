internal import ArgumentParser
internal import Jobs
internal import MRAID

/// Lists the containers a creative can be shown in, with their differences and where each is said.
struct ContainersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "containers", abstract: "List the SDK containers creatives can meet, and how each departs from MRAID.")

  @Flag(help: "Print the profiles as JSON, in the form that --container reads.") var json = false

  func run() throws {
    let containers = ContainerCatalogue.standard.containers
    try Console.output.tell(json ? try JSONText.of(containers) : ContainerListing(containers: containers).text)
  }
}
