internal import CNamespaces
internal import Files
internal import Glibc

/// Adds the files of jobs to a worker's view, each job's in its own folder, and removes them again.
struct Staging {
  /// Maximum number of jobs of a worker: one that it renders, and the next.
  private static let mostJobs = 2
  /// Maximum number of files that are added from beside a document that is a link.
  private static let mostBeside = 2_000

  /// Path of the worker's view as seen from this process.
  private let root: String
  private var number = 0
  /// Paths that were created for each job, in order.
  private var made: [[String]] = []

  init(root: String) { self.root = root }

  /// Adds a job's files, and removes those of jobs that have ended.
  ///
  /// A word whose file isn't there keeps its path, which doesn't exist in the view either.
  mutating func take(_ words: [BrokeredLine.Word]) -> [BrokeredLine.Word] {
    number += 1
    while made.count >= Self.mostJobs { clear(made.removeFirst()) }
    var visit = Visit(root: root, base: "/job/\(number)")
    let brought = words.map { word in BrokeredLine.Word(word.kind, word.path, at: visit.place(of: word)) }
    made.append(visit.made)
    return brought + visit.names.sorted { $0.key < $1.key }.map { BrokeredLine.Word(.name, $0.value, at: $0.key) }
  }

  /// Unmounts and removes paths; a path that is still in use isn't removed.
  private func clear(_ paths: [String]) {
    for path in paths.reversed() {
      _ = namespaces_unbind(path)
      if rmdir(path) != 0 { unlink(path) }
    }
  }

  /// Files that are added for one job.
  private struct Visit {
    private let root: String
    /// Folder of the job in the view.
    private let base: String
    var made: [String] = []
    var names: [String: String] = [:]
    /// Places in the view by original path, since creatives of a feed may use the same file.
    private var places: [String: String] = [:]

    init(root: String, base: String) {
      (self.root, self.base) = (root, base)
      makeFolder(base)
    }

    /// Adds a folder for results, and creates it if it doesn't exist.
    private mutating func output(_ path: String) -> String {
      Place.makeFolder(path)
      let place = "\(base)/output"
      return bind(path, at: place, NAMESPACES_WRITABLE) ? place : path
    }

    /// Adds the file that a word names and returns the worker's path to it.
    mutating func place(of word: BrokeredLine.Word) -> String {
      switch word.kind {
      case .output: output(word.path)
      case .creative, .alone: Place.kind(of: word.path) == S_IFDIR ? folder(word.path) : file(word)
      case .document: document(word.path)
      case .name: ""
      }
    }

    private mutating func file(_ word: BrokeredLine.Word) -> String {
      word.kind == .alone ? lone(word.path) : document(word.path)
    }

    private mutating func folder(_ path: String) -> String {
      once(path) { visit in
        let place = visit.nextPlace
        return visit.bind(path, at: place, NAMESPACES_READABLE) ? place : path
      }
    }

    /// Adds a file with the files beside it, since it may refer to them.
    private mutating func document(_ path: String) -> String {
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

    /// Adds a file without those beside it.
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

    private var nextPlace: String { "\(base)/\(places.count)" }

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
