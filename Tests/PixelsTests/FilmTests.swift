import Core
import Files
import FoundationEssentials
import TestFolders
import Testing

@testable import Pixels

@Suite("Films")
struct FilmTests {
  private let home: TestFolder
  private var folder: String { home.path }

  init() throws { home = try TestFolder() }

  /// A square that moves over a ground, then stands still for five frames.
  private static let pictures: [Bitmap] = {
    let moving = (0..<10).map { step in
      var picture = Bitmap(width: 61, height: 33, fill: Color(red: 20, green: 40, blue: 90))
      picture.fill(PixelRect(x: step * 5, y: 10, width: 8, height: 9), Color(red: 250, green: 200, blue: 10))
      return picture
    }
    return moving + [Bitmap](repeating: moving[9], count: 5)
  }()

  private func reel(_ pictures: [Bitmap?] = pictures, rate: Int = 30, name: String = "film") async throws -> String {
    let path = "\(folder)/\(name).reel"
    let first = try #require(pictures.first ?? nil)
    let writer = try FilmReelWriter(path: path, width: first.width, height: first.height, rate: rate)
    for picture in pictures { try await writer.add(picture) }
    try await writer.finish()
    return path
  }

  private func shots(_ path: String) throws -> [FilmReelReader.Shot] {
    let reel = try FilmReelReader(path)
    var shots: [FilmReelReader.Shot] = []
    while let shot = try reel.next() { shots.append(shot) }
    return shots
  }

  private func encoded(_ encode: (FilmSink) throws(Fault) -> Void) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try encode { bytes += $0 }
    return bytes
  }

  @Test("a reel gives back what was taken: each change once, with its place and how long it stays")
  func readAgain() async throws {
    let path = try await reel()
    let reader = try FilmReelReader(path)
    #expect((reader.width, reader.height, reader.rate, reader.frames, reader.changes) == (61, 33, 30, 15, 10))
    let shots = try shots(path)
    #expect(shots.map(\.picture) == Array(Self.pictures[..<10]))
    #expect(shots.map(\.count) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 6])
    #expect(shots[0].changed == Self.pictures[0].bounds)
    #expect(shots[1].changed == PixelRect(x: 0, y: 10, width: 13, height: 9))
  }

  @Test("a change whose sizes are no recording's is refused")
  func sizesOutOfBounds() async throws {
    let path = try await reel()
    var bytes = try FileReading.regular(path, most: 1_000_000)
    // The head of the first change: kind, then x, y, width, height and packed bytes.
    let head = FilmReel.magic.count + FilmReel.numbers * 4 + 1
    for index in head + 8..<head + 16 { bytes[index] = 0xFF }
    try Data(bytes).write(to: URL(filePath: path))
    #expect(throws: Fault.self) { try self.shots(path) }
  }

  @Test("a frame that isn't looked at is the one before; one of another size is cut or gets room")
  func odd() async throws {
    let small = Bitmap(width: 20, height: 40, fill: Color(red: 1, green: 2, blue: 3))
    let shots = try shots(await reel([Self.pictures[0], nil, small]))
    #expect(shots.map(\.count) == [2, 1])
    #expect(shots[1].picture[19, 32] == Color(red: 1, green: 2, blue: 3))
    #expect(shots[1].picture[20, 32] == .white)
  }

  @Test("what isn't a whole reel is refused", arguments: [0, 5, 11, 20, 31, 32, 40, 300])
  func broken(length: Int) async throws {
    let path = try await reel()
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole.prefix(length).write(to: URL(filePath: path))
    #expect(throws: Fault.self) { try shots(path) }
  }

  @Test(
    "a reel that says what can't be is refused",
    arguments: [(12, 0xFF), (16, 0xFF), (20, 0), (24, 0), (33, 0xFF), (41, 0x7F)])
  func forged(at place: Int, value: UInt8) async throws {
    let path = try await reel()
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[place] = value
    if value == 0 { for offset in 0..<4 { bytes[place + offset] = 0 } }
    try bytes.write(to: URL(filePath: path))
    #expect(throws: Fault.self) { try shots(path) }
  }

  @Test("an APNG has a frame for each change, laid over what is there")
  func animation() async throws {
    let path = try await reel()
    let file = try encoded { sink throws(Fault) in try FilmAnimation.encode(FilmReelReader(path), to: sink) }
    // Readers that know no animation see the first frame.
    #expect(try PNGDecoder.decode(file) == Self.pictures[0])
    let chunks = try PNGList(file)
    #expect(chunks.all("acTL").first?.prefix(4).elementsEqual([0, 0, 0, 10]) == true)
    let controls = chunks.all("fcTL")
    #expect(controls.count == 10 && chunks.all("fdAT").count == 9)
    let last = try #require(controls.last)
    #expect(Array(last[20..<24]) == [0, 6, 0, 30])
    let numbers = (controls + chunks.all("fdAT")).map { $0[..<4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(numbers.sorted() == Array(0..<19))
  }

  @Test("a GIF shows what was taken, for as long")
  func gif() async throws {
    let path = try await reel()
    let file = try GIFFile(encoded { sink throws(Fault) in try GIFEncoder.encode(path, to: sink) })
    #expect((file.width, file.height) == (61, 33))
    #expect(file.frames.count == 10)
    for (frame, picture) in zip(file.frames, Self.pictures) { #expect(frame.pixels == picture.pixels) }
    #expect(file.frames.reduce(0) { $0 + $1.delay } == 50)
  }

  @Test("at sixty frames a second no frame of a GIF is shorter than players show, and the last is there")
  func fastGIF() async throws {
    let path = try await reel(rate: 60)
    let file = try GIFFile(encoded { sink throws(Fault) in try GIFEncoder.encode(path, to: sink) })
    #expect(file.frames.allSatisfy { $0.delay >= 2 })
    #expect(file.frames.last?.pixels == Self.pictures.last?.pixels)
    #expect(file.frames.reduce(0) { $0 + $1.delay } == 25)
  }

  @Test("a GIF of more colours than it has looks like what was taken, packed over many codes")
  func manyColors() async throws {
    let pixels = (0..<120 * 160).map { place -> UInt32 in
      let (x, y) = (place % 160, place / 160)
      return 0xFF00_0000 | UInt32(x * 255 / 159) << 16 | UInt32(y * 255 / 119) << 8 | UInt32((x * 7 + y * 13) % 256)
    }
    let picture = Bitmap(width: 160, height: 120, pixels: pixels)
    let path = try await reel([picture, picture])
    let file = try GIFFile(encoded { sink throws(Fault) in try GIFEncoder.encode(path, to: sink) })
    #expect(file.frames.count == 1)
    let errors = zip(file.frames[0].pixels, pixels).map { shown, meant in
      [16, 8, 0].map { abs(Int(shown >> $0 & 255) - Int(meant >> $0 & 255)) }.reduce(0, +)
    }
    #expect(errors.reduce(0, +) / errors.count < 48)
  }

  @Test("the same film gives the same bytes")
  func sameTwice() async throws {
    let path = try await reel()
    let again = try await reel(name: "again")
    let gifs = try [path, again].map { path in
      try encoded { sink throws(Fault) in try GIFEncoder.encode(path, to: sink) }
    }
    #expect(gifs[0] == gifs[1])
  }
}

/// A PNG's chunks.
private struct PNGList {
  private var chunks: [(type: String, contents: [UInt8])] = []

  init(_ file: [UInt8]) throws {
    var at = 8
    while at + 12 <= file.count {
      let length = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      try #require(at + 12 + length <= file.count)
      let type = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
      chunks.append((type, Array(file[at + 8..<at + 8 + length])))
      at += 12 + length
    }
    try #require(at == file.count)
  }

  func all(_ type: String) -> [[UInt8]] { chunks.filter { $0.type == type }.map(\.contents) }
}

/// A GIF read by the book: each frame as it looks on the screen.
private struct GIFFile {
  struct Frame {
    let delay: Int
    let pixels: [UInt32]
  }

  let width: Int
  let height: Int
  private(set) var frames: [Frame] = []

  init(_ file: [UInt8]) throws {
    try #require(file.starts(with: "GIF89a".utf8) && file.last == 0x3B)
    (width, height) = (Int(file[6]) | Int(file[7]) << 8, Int(file[8]) | Int(file[9]) << 8)
    let table = (0..<256).map { index in
      0xFF00_0000 | file[13 + index * 3..<16 + index * 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    var screen = [UInt32](repeating: 0, count: width * height)
    var (at, delay, clear) = (13 + 768, 0, -1)
    while file[at] != 0x3B {
      if file[at] == 0x21 {
        if file[at + 1] == 0xF9 {
          (delay, clear) = (Int(file[at + 4]) | Int(file[at + 5]) << 8, Int(file[at + 6]))
        }
        at += 2
        while file[at] != 0 { at += Int(file[at]) + 1 }
        at += 1
        continue
      }
      try #require(file[at] == 0x2C)
      let place = stride(from: at + 1, to: at + 9, by: 2).map { Int(file[$0]) | Int(file[$0 + 1]) << 8 }
      at += 11
      var codes: [UInt8] = []
      while file[at] != 0 {
        codes += file[at + 1..<at + 1 + Int(file[at])]
        at += Int(file[at]) + 1
      }
      at += 1
      let indices = try Self.unpack(codes)
      try #require(indices.count == place[2] * place[3])
      for (number, index) in indices.enumerated() where Int(index) != clear {
        screen[(place[1] + number / place[2]) * width + place[0] + number % place[2]] = table[Int(index)]
      }
      frames.append(Frame(delay: delay, pixels: screen))
    }
  }

  private static func unpack(_ bytes: [UInt8]) throws -> [UInt8] {
    var table: [[UInt8]] = []
    var (width, last): (Int, [UInt8]?) = (9, nil)
    var output: [UInt8] = []
    var (bits, held, at) = (0, 0, 0)
    while true {
      while held < width {
        try #require(at < bytes.count)
        bits |= Int(bytes[at]) << held
        (held, at) = (held + 8, at + 1)
      }
      let code = bits & ((1 << width) - 1)
      (bits, held) = (bits >> width, held - width)
      if code == 256 {
        (table, width, last) = ((0..<256).map { [UInt8($0)] } + [[], []], 9, nil)
        continue
      }
      if code == 257 { return output }
      var word: [UInt8]
      if code < table.count {
        word = table[code]
      } else {
        let before = try #require(last)
        word = before + [before[0]]
      }
      output += word
      if let before = last, table.count < 4_096 {
        table.append(before + [word[0]])
        if table.count == 1 << width, width < 12 { width += 1 }
      }
      last = word
    }
  }
}
