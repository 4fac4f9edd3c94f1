internal import ArgumentParser

/// How results are told.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document on standard output and nothing else there.") var json = false
  @Flag(name: .shortAndLong, help: "Print failures only.") var quiet = false
}
