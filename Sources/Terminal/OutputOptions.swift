internal import ArgumentParser

/// Options for the form of the output.
package struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document on standard output and nothing else there.") package var json = false
  @Flag(name: .shortAndLong, help: "Print failures only.") package var quiet = false

  package init() {}
}
