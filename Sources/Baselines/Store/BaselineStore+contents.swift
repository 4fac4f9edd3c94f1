internal import Comparison
internal import FoundationEssentials
package import Jobs

extension BaselineStore {
  /// What drew a baseline.
  package func fingerprint(of manifest: BaselineManifest) throws(Fault) -> Fingerprint {
    let name = "\(manifest.fingerprint).json"
    guard let fingerprint = try? JSONDecoder().decode(Fingerprint.self, from: Data(try object(name))) else {
      throw .request("baseline-broken", "\(objectPath(name)) is no fingerprint")
    }
    return fingerprint
  }

  /// A baseline's event log, numbered anew.
  package func events(of manifest: BaselineManifest) throws(Fault) -> [Event] {
    let name = "\(manifest.events.sha256).ndjson"
    guard let events = NormalisedLog.events(try object(name)) else {
      throw .request("baseline-broken", "\(objectPath(name)) is no event log")
    }
    return events
  }
}
