/// The part of `exploration.json` (Schemas/exploration.schema.json) that a report shows.
struct StateMap: Decodable, Hashable {
  struct State: Decodable, Hashable {
    let number: Int
    let name: String
    /// Relative to the result's folder.
    let picture: String?
  }
  struct Way: Decodable, Hashable {
    let from: Int
    let to: Int?
    let action: String
    let effects: [String]?
    let failure: String?
  }
  struct Odd: Decodable, Hashable {
    let code: String
    let message: String
    let state: Int?
    let count: Int
  }
  struct Coverage: Decodable, Hashable {
    let percent: Int?
  }

  let states: [State]
  let ways: [Way]
  let oddities: [Odd]
  let coverage: Coverage?
}
