internal import AdManager
internal import AdResponses
package import Core
package import Creatives
package import MRAID
internal import RenderModel

/// Contents of creatives as Galley reads them, found without rendering: Schemas/inspection.schema.json.
package struct Inspection: Sendable, Encodable {
  /// Creative, or an argument that is none.
  package struct Entry: Sendable, Encodable {
    /// Name of the result folder, or the argument if it is no creative.
    package let name: String
    /// Path as the caller wrote it, or the path below an argument.
    package let path: String
    /// Kind of creative: html, folder, zip, fragment, vast, vmap, bid or url.
    package var kind: String?
    /// Kind of markup that would be shown: page, html, vast, vmap or native.
    package var shows: String?
    /// Winning bid, with the bids that it beat.
    package var bid: JSONValue?
    /// Contents of a response, with the names of its standard.
    package var vast: JSONValue?
    package var vmap: JSONValue?
    package var native: JSONValue?
    /// Networks for playables to which its code speaks; nil for none.
    package var networks: [PlayableScan.Network]?
    /// Warnings about its files that may cause problems elsewhere; nil for none.
    package var warnings: [String]?
    /// Reason why the creative can't be shown; `code` is its error code.
    package var message: String?
    package var code: String?
    /// Origin of that fault.
    package var origin: Fault.Origin?
  }

  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  package let creatives: [Entry]

  /// Opens the creatives that the arguments name; their kinds are recognized by content.
  package init(_ arguments: [String], recursive: Bool, spool: CreativeFinder.Spool) {
    creatives = CreativeFinder.find(arguments, recursive: recursive, spool: spool).map { found in
      switch found.result {
      case .success(let creative): Self.entry(creative)
      case .failure(let fault): Entry(name: found.argument, path: found.argument).failed(fault)
      }
    }
  }

  private static func entry(_ creative: CreativeReference) -> Entry {
    var entry = Entry(name: creative.name, path: creative.argument)
    do throws(Fault) {
      let bundle = try CreativeBundle.open(creative)
      entry.kind = bundle.kind.rawValue
      entry.warnings = bundle.warnings.isEmpty ? nil : bundle.warnings
      guard let response = bundle.response else {
        entry.shows = "page"
        entry.networks = try networks(of: bundle)
        return entry
      }
      let ad = try decoded(response.form, response.bytes, name: creative.argument)
      entry.bid = ad.bid.map(InspectedAd.bid)
      switch ad.markup {
      case .page: entry.shows = "page"
      case .html(let markup):
        entry.shows = "html"
        entry.bid = entry.bid?.adding("markup", .string(markup))
      case .vast(let document): (entry.shows, entry.vast) = ("vast", InspectedAd.vast(document))
      case .vmap(let document): (entry.shows, entry.vmap) = ("vmap", InspectedAd.vmap(document))
      case .native(let native): (entry.shows, entry.native) = ("native", InspectedAd.native(native))
      }
      return entry
    } catch {
      return entry.failed(error)
    }
  }

  /// Returns the networks to which a page's files speak; nil for none.
  static func networks(of bundle: CreativeBundle) throws(Fault) -> [PlayableScan.Network]? {
    var scan = PlayableScan()
    if let entry = bundle.entry { scan.read(page: entry.bytes) }
    for path in try bundle.paths() ?? [] where path != bundle.entry?.path {
      guard let file = try bundle.resource(path: path) else { continue }
      if file.mimeType == "text/html" { scan.read(page: file.bytes) }
      if file.mimeType == "text/javascript" { scan.read(script: file.bytes) }
    }
    let networks = scan.networks
    return networks.isEmpty ? nil : networks
  }

  private static func decoded(_ form: ResponseForm, _ bytes: [UInt8], name: String) throws(Fault) -> DecodedAd {
    let response: AdResponse.Form =
      switch form {
      case .vast: .vast
      case .vmap: .vmap
      case .bid: .bid
      }
    do {
      return try AdDecoder.decode(AdResponse(form: response, body: bytes, name: name))
    } catch {
      throw .creative(error.code, error.description.printable)
    }
  }
}

extension Inspection.Entry {
  fileprivate func failed(_ fault: Fault) -> Self {
    var entry = self
    (entry.message, entry.code, entry.origin) = (fault.message, fault.code, fault.origin)
    return entry
  }
}

extension JSONValue {
  /// Returns the object with an additional member.
  fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[name] = value
    return .object(members)
  }
}
