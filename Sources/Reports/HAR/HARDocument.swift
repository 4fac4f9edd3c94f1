/// The archive's root and what is said once.
struct HARDocument: Encodable {
  struct Log: Encodable {
    let version = "1.2"
    let creator: Creator
    let pages: [Page]
    let entries: [HAREntry]
  }
  struct Creator: Encodable {
    let name = "galley"
    let version: String
  }
  struct Page: Encodable {
    let startedDateTime: String
    let id: String
    let title: String
    let pageTimings: PageTimings
    let creative: String
    let device: String

    enum CodingKeys: String, CodingKey {
      case startedDateTime, id, title, pageTimings
      case creative = "_creative"
      case device = "_device"
    }
  }
  struct PageTimings: Encodable {
    /// -1 where it isn't known, as the format has it.
    let onContentLoad: Double
    let onLoad: Double
  }
  struct Pair: Encodable, Hashable {
    let name: String
    let value: String
  }

  let log: Log
}
