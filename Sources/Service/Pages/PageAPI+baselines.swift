internal import Baselines
internal import Hummingbird
internal import Jobs
internal import MRAID
internal import ServiceStore

extension PageAPI {
  func baselines(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let store = BaselineStore(renders.data.baselines)
    let documents = try store.keys().compactMap { key in
      try store.manifest(key).map { BaselineDocument(key, $0) }
    }
    let values: [String: Any] = [
      "isBaselines": true,
      "baselines": documents.map { document in
        [
          "creative": document.creative, "variant": document.variant, "url": document.url,
          "states": document.states.joined(separator: " → "),
          "pictures": document.pictures.map { ["name": $0.name, "url": $0.url] },
        ] as [String: Any]
      },
    ]
    return page("baselines", "Baselines", values, context)
  }
}
