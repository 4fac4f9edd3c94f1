internal import AdManager
internal import AdResponses
package import Core
package import Creatives
internal import RenderModel

/// What creatives are, as Galley reads them, found without rendering: Schemas/inspection.schema.json.
package struct Inspection: Sendable, Encodable {
  /// One creative, or an argument that is none.
  package struct Entry: Sendable, Encodable {
    /// The result folder's name; the argument where there is no creative.
    package let name: String
    /// As the caller wrote it, or the way to it from there.
    package let path: String
    /// html, folder, zip, fragment, vast, vmap, bid or url.
    package var kind: String?
    /// What would be shown: page, html, vast, vmap or native.
    package var shows: String?
    /// The bid that won, and those it beat.
    package var bid: JSONValue?
    /// What a response holds, in its own words.
    package var vast: JSONValue?
    package var vmap: JSONValue?
    package var native: JSONValue?
    /// Why it can't be shown, and the code of that.
    package var message: String?
    package var code: String?
    /// Who has to act then.
    package var origin: Fault.Origin?
  }

  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  package let creatives: [Entry]

  /// Opens what the arguments name, each by its content.
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
      guard let response = bundle.response else {
        entry.shows = "page"
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
  /// The object with another member.
  fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[name] = value
    return .object(members)
  }
}
