internal import Core
internal import FoundationEssentials

/// HTTP Archive 1.2 as far as recordings need it; fields that only Galley knows are in `_galley`.
struct HARFile: Codable {
  var log: Log

  struct Log: Codable {
    var version: String
    var creator: Creator
    var pages: [Page]?
    var entries: [Entry]
    var galley: Extras?

    enum CodingKeys: String, CodingKey {
      case version, creator, pages, entries
      case galley = "_galley"
    }
  }
  struct Creator: Codable {
    var name: String
    var version: String
  }
  struct Page: Codable {
    var startedDateTime: String
    var id: String
    var title: String
    var pageTimings: [String: Double]
  }
  /// Parts of a recording that the format doesn't have: rules and conditions.
  struct Extras: Codable {
    var rules: [String]
    var conditions: RecordedConditions?
  }
  struct Pair: Codable {
    var name: String
    var value: String
  }

  struct Entry: Codable {
    var pageref: String?
    var startedDateTime: String?
    var time: Double?
    var request: Request
    var response: Response?
    var cache: [String: String]? = [:]
    var timings: [String: Double]?
    var serverIPAddress: String?
    var port: Int?
    var protection: Protection?
    /// Reason why no response came, in Chromium's field.
    var failure: String?
    var wasAborted: Bool?
    /// Kind of resource in Chromium's field, as `websocket`.
    var kind: String?
    var initiator: Initiator?
    var messages: [Message]?
    var galley: Exchange?

    enum CodingKeys: String, CodingKey {
      case pageref, startedDateTime, time, request, response, cache, timings, serverIPAddress
      case port = "_serverPort"
      case protection = "_securityDetails"
      case failure = "_error"
      case wasAborted = "_wasAborted"
      case kind = "_resourceType"
      case initiator = "_initiator"
      case messages = "_webSocketMessages"
      case galley = "_galley"
    }
  }
  struct Initiator: Codable {
    var type: String
  }
  struct Request: Codable {
    var method: String
    var url: String
    var httpVersion: String?
    var cookies: [Pair]? = []
    var headers: [Pair]?
    var queryString: [Pair]? = []
    var postData: Body?
    var headersSize: Double? = -1
    var bodySize: Double? = -1
  }
  struct Response: Codable {
    var status: Int
    var statusText: String?
    var httpVersion: String?
    var cookies: [Pair]? = []
    var headers: [Pair]?
    var content: Body?
    var redirectURL: String?
    var headersSize: Double? = -1
    var bodySize: Double? = -1
    /// Reason why no response came, in Playwright's field.
    var failure: String?

    enum CodingKeys: String, CodingKey {
      case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
      case failure = "_failureText"
    }
  }
  /// Details of TLS, in the fields of Playwright.
  struct Protection: Codable {
    var `protocol`: String?
    var subjectName: String?
    var issuer: String?
    var validFrom: Double?
    var validTo: Double?
  }
  struct Body: Codable {
    var size: Double?
    var mimeType: String?
    var text: String?
    var encoding: String?
    /// Name of its file in a zip, beside the archive.
    var file: String?
    var params: [Pair]?

    enum CodingKeys: String, CodingKey {
      case size, mimeType, text, encoding, params
      case file = "_file"
    }
  }
  /// Message of a web socket, in the fields of the browsers' tools.
  struct Message: Codable {
    var type: String
    /// Seconds since 1970; thousandths of a second from Playwright, and -1 for unknown.
    var time: Double
    var opcode: Int
    var data: String
  }
}

extension HARFile.Entry {
  /// Reads an entry; optional fields that are invalid in a foreign archive are ignored.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    request = try values.decode(HARFile.Request.self, forKey: .request)
    pageref = try? values.decode(String.self, forKey: .pageref)
    startedDateTime = try? values.decode(String.self, forKey: .startedDateTime)
    time = try? values.decode(Double.self, forKey: .time)
    response = try values.decodeIfPresent(HARFile.Response.self, forKey: .response)
    timings = (try? values.decode([String: JSONValue].self, forKey: .timings))?.compactMapValues(\.number)
    serverIPAddress = try? values.decode(String.self, forKey: .serverIPAddress)
    port = try? values.decode(Int.self, forKey: .port)
    protection = try? values.decode(HARFile.Protection.self, forKey: .protection)
    failure = try? values.decode(String.self, forKey: .failure)
    wasAborted = try? values.decode(Bool.self, forKey: .wasAborted)
    kind = try? values.decode(String.self, forKey: .kind)
    initiator = try? values.decode(HARFile.Initiator.self, forKey: .initiator)
    messages = try? values.decode([HARFile.Message].self, forKey: .messages)
    galley = try? values.decode(Exchange.self, forKey: .galley)
  }
}
