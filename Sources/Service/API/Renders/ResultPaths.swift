internal import ServiceStore

/// Where one render's files are.
struct ResultPaths {
  /// The folder of the report.
  let results: String
  /// The result's own, below it.
  let result: String

  init(_ row: RenderRow, _ data: DataFolder) {
    let folder = data.render(row.id)
    results = folder.results
    result = folder.result(row.name)
  }

  func file(_ name: String) -> String { "\(result)/\(name)" }
}
