internal import Core
internal import Engine
internal import Feed
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

/// Page of the feed as the host uses it: Galley's own document, drawn by the engine like any other.
@EngineActor struct FeedDocument {
  let page: AdPage

  /// Positions of all cells, once the page is complete.
  func measure() async throws(Fault) -> FeedGeometry {
    let answer = try await ask("return await feed.measure();")
    guard let geometry = PageAnswer.decode(FeedGeometry.self, from: answer) else {
      throw .engine("feed-not-drawn", "can't measure the feed's page: \(answer)")
    }
    return geometry
  }

  /// Shows or hides the loading indicator of a cell.
  func setSpinner(_ cell: String, _ isShown: Bool) async throws(Fault) {
    _ = try await ask("feed.indicate(id, shown === \"yes\");", ["id": cell, "shown": isShown ? "yes" : "no"])
  }

  /// Collapses the cell to no height and leaves it at its place.
  func collapse(_ cell: String) async throws(Fault) { _ = try await ask("feed.collapse(id);", ["id": cell]) }

  /// Removes the cell for good.
  func remove(_ cell: String) async throws(Fault) { _ = try await ask("feed.remove(id);", ["id": cell]) }

  /// Scrolls the page at once.
  func scroll(to offset: Double) async throws(Fault) {
    _ = try await ask("return feed.scroll(Number(y));", ["y": offset.plain])
  }

  /// Action for the host of the element at a point of the view; nil for none.
  func tap(_ point: Point) async throws(Fault) -> String? {
    let answer = try await ask("return feed.tap(Number(x), Number(y));", ["x": point.x.plain, "y": point.y.plain])
    return try? JSONDecoder().decode(String?.self, from: Data(answer.utf8))
  }

  /// Point of the first match on the page; nil for none.
  func find(_ selector: String) async -> Point? {
    let answer = try? await ask("return feed.find(selector);", ["selector": selector])
    guard let answer, let place = PageAnswer.decode([Double].self, from: answer), place.count == 2
    else { return nil }
    return Point(x: place[0], y: place[1])
  }

  private func ask(_ script: String, _ arguments: [String: String] = [:]) async throws(Fault) -> String {
    do {
      return try await page.view.call(Self.script + script, arguments)
    } catch {
      throw .engine("feed-not-drawn", "the feed's page doesn't answer: \(error)")
    }
  }

  private static let script = String(decoding: PackageResources.feed_js, as: UTF8.self)
}
