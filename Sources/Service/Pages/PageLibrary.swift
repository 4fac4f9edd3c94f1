internal import Core
internal import Mustache
internal import RenderModel

/// The pages' templates, compiled once. Values are always escaped, since no template turns that off.
struct PageLibrary: Sendable {
  private let library: MustacheLibrary

  init() throws(Fault) {
    let sources: [(String, [UInt8])] = [
      ("head", PackageResources.head_mustache), ("foot", PackageResources.foot_mustache),
      ("runs", PackageResources.runs_mustache), ("run-card", PackageResources.run_card_mustache),
      ("run", PackageResources.run_mustache), ("compare", PackageResources.compare_mustache),
      ("baselines", PackageResources.baselines_mustache), ("login", PackageResources.login_mustache),
      ("problem", PackageResources.problem_mustache), ("picture", PackageResources.picture_mustache),
      ("history", PackageResources.history_mustache), ("review", PackageResources.review_mustache),
      ("queue", PackageResources.queue_mustache), ("done", PackageResources.done_mustache),
      ("shared", PackageResources.shared_mustache), ("interface", PackageResources.interface_mustache),
      ("operation", PackageResources.operation_mustache), ("arriving", PackageResources.arriving_mustache),
    ]
    var library = MustacheLibrary()
    for (name, bytes) in sources {
      do {
        try library.register(String(decoding: bytes, as: UTF8.self), named: name)
      } catch {
        throw .engine("page-broken", "the page \(name) can't be read: \(error)")
      }
    }
    self.library = library
  }

  /// Renders a page by its template's name with these values.
  func html(_ name: String, _ values: [String: Any]) -> String {
    library.render(values.merging(["version": Galley.version]) { own, _ in own }, withTemplate: name) ?? ""
  }
}
