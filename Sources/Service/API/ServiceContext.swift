internal import Egress
internal import Hummingbird
internal import NIOCore
internal import ServiceStore

/// A request on its way, and who sent it.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Nobody until the token was looked at.
  var caller = Caller(name: "", scopes: [])
  let channel: any Channel
  /// The connection it came by; nil where nobody keeps account of those.
  var connection: Connection?

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    coreContext = CoreRequestContextStorage(source: source)
  }

  /// Who is at the other end of the connection.
  var peer: IPAddress? { IPAddress(of: channel.remoteAddress) }

  /// Refuses whoever may not do what a scope stands for.
  func require(_ scope: Scope) throws(Problem) {
    guard caller.may(scope) else {
      throw Problem(403, "scope-missing", "this needs a token with the scope '\(scope.rawValue)'")
    }
  }

  /// A part of the path that names a render.
  func renderID() throws(Problem) -> String {
    let id = parameters.get("id") ?? ""
    guard RenderID.isOne(id) else { throw .missing("render '\(id.prefix(40))'") }
    return id
  }
}
