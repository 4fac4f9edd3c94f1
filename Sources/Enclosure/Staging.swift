internal import CNamespaces
internal import Core
internal import Glibc
internal import RenderModel

/// Puts the files of jobs into a worker's view, each job's in a folder of its own, and takes them out again.
struct Staging {
  /// Jobs that a worker has at most: one that it renders, and one to come.
  private static let mostJobs = 2
  /// Files beside a document that is a link; more don't come along.
  private static let mostBeside = 2_000

  /// The worker's view as it is seen from here.
  private let root: String
  private var number = 0
  /// What was made for each job, in order.
  private var made: [[String]] = []

  init(root: String) { self.root = root }

  /// Brings a job's files; those of jobs that are done by now go.
  ///
  /// What isn't there keeps its path, which leads nowhere in the view either.
  mutating func take(_ job: RenderJob) -> CarriedJob {
    number += 1
    while made.count >= Self.mostJobs { clear(made.removeFirst()) }
    var visit = Visit(root: root, folder: "/job/\(number)")
    var carried = CarriedJob(job)
    carried.job.output = visit.output(job.output)
    carried.job.creative = visit.creative(job.creative)
    if let feed = job.feed {
      carried.job.feed?.path = visit.document(feed.path)
      carried.job.feed?.creatives = feed.creatives.map { visit.creative($0) }
    }
    carried.names = visit.names
    made.append(visit.made)
    return carried
  }

  /// Takes down what is mounted and removes what it was mounted on; a place that is still in use isn't removed.
  private func clear(_ paths: [String]) {
    for path in paths.reversed() {
      _ = namespaces_unbind(path)
      if rmdir(path) != 0 { unlink(path) }
    }
  }

  /// What one job brings along.
  private struct Visit {
    let root: String
    /// In the view.
    let folder: String
    var made: [String] = []
    var names: [String: String] = [:]
    /// Where what has come is: creatives of a feed may be the same.
    private var places: [String: String] = [:]

    init(root: String, folder: String) {
      (self.root, self.folder) = (root, folder)
      makeFolder(folder)
    }

    /// A folder that results are written to, made where it isn't there.
    mutating func output(_ path: String) -> String {
      Place.makeFolder(path)
      let place = "\(folder)/output"
      return bind(path, at: place, NAMESPACES_WRITABLE) ? place : path
    }

    mutating func creative(_ reference: CreativeReference) -> CreativeReference {
      guard let path = reference.path else { return reference }
      var staged = reference
      if Place.kind(of: path) == S_IFDIR {
        staged.path = once(path) { visit in
          let place = visit.nextPlace
          return visit.bind(path, at: place, NAMESPACES_READABLE) ? place : path
        }
      } else {
        let isAlone = reference.argument == "-" || [".zip", ".js"].contains { path.lowercased().hasSuffix($0) }
        staged.path = isAlone || Place.kind(of: path) != S_IFREG ? lone(path) : document(path)
      }
      return staged
    }

    /// A file with whatever lies beside it, since it may name that.
    mutating func document(_ path: String) -> String {
      guard Place.kind(of: path) == S_IFREG else { return lone(path) }
      return once(path) { visit in
        let (place, parent) = (visit.nextPlace, Place.folder(of: path))
        let file = "\(place)/\(Place.name(of: path))"
        guard Place.link(path) != nil else {
          return visit.bind(parent.isEmpty ? "/" : parent, at: place, NAMESPACES_READABLE) ? file : path
        }
        // A link leads out of the folder, and to nowhere in the view.
        visit.makeFolder(place)
        visit.names[place] = parent
        for name in Place.names(in: parent).prefix(mostBeside) where Place.link("\(parent)/\(name)") == nil {
          _ = visit.bind("\(parent)/\(name)", at: "\(place)/\(name)", NAMESPACES_READABLE)
        }
        return visit.bind(path, at: file, NAMESPACES_READABLE) ? file : path
      }
    }

    /// A file without what lies beside it.
    private mutating func lone(_ path: String) -> String {
      once(path) { visit in
        guard Place.kind(of: path) != nil else { return path }
        let place = visit.nextPlace
        visit.makeFolder(place)
        visit.names[place] = Place.folder(of: path)
        let file = "\(place)/\(Place.name(of: path))"
        return visit.bind(path, at: file, NAMESPACES_READABLE) ? file : path
      }
    }

    private mutating func once(_ path: String, _ make: (inout Visit) -> String) -> String {
      if let place = places[path] { return place }
      let place = make(&self)
      places[path] = place
      return place
    }

    private var nextPlace: String { "\(folder)/\(places.count)" }

    private mutating func makeFolder(_ place: String) {
      Place.makeFolder(root + place)
      made.append(root + place)
    }

    private mutating func bind(_ path: String, at place: String, _ use: namespaces_use) -> Bool {
      guard Place.bind(path, at: root + place, use) else { return false }
      made.append(root + place)
      names[place] = path
      return true
    }
  }
}
