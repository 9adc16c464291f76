import Cutroom
import CutroomMetadata
import Foundation
import TestSupport
import Testing

/// What keeps a file whole when its tags are written: every container, every kind of trouble.
@Suite(.serialized, .enabled(if: SharedMedia.isThere, SharedMedia.note)) struct TagSafetyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let files = [
    "fixtures/full.m4a", "fixtures/full.mp3", "fixtures/full.flac", "hostile/mdta-moov-meta.mov",
    "real/quodlibet-multipagecomment.ogg", "real/taglib-correctness_gain_silent_output.opus",
    "hostile/frag-base-data-offset.mp4",
  ]

  func copy(_ name: String) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    return try folder.file("file." + ending, SharedMedia.bytes(name)).path
  }

  func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// The built program, beside the tests.
  static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "cutroom").path

  @Test(.enabled(if: Tool.isThere("python3"), Tool.note("python3")), arguments: files)
  func modeOwnerAndAttributesAreKept(name: String) throws {
    let path = try copy(name)
    #expect(try Tool.run("chmod", ["640", path]).status == 0)
    let set = "import os, sys; os.setxattr(sys.argv[1], 'user.note', b'a\\0b')"
    #expect(try Tool.run("python3", ["-c", set, path]).status == 0)
    if getuid() == 0 { #expect(try Tool.run("chown", ["65534:65534", path]).status == 0) }
    let before = try Tool.run("stat", ["-c", "%a %u %g", path]).output
    _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
    #expect(try Tool.run("stat", ["-c", "%a %u %g", path]).output == before)
    let get = "import os, sys; print(os.getxattr(sys.argv[1], 'user.note'))"
    #expect(try Tool.run("python3", ["-c", get, path]).output == "b'a\\x00b'\n")
  }

  @Test(arguments: files) func theOtherNamesOfAFileKeepWhatItWas(name: String) throws {
    let path = try copy(name)
    let other = folder.url.appending(path: "other").path
    try FileManager.default.linkItem(atPath: path, toPath: other)
    let before = try bytes(path)
    _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["New title"])])
    #expect(try bytes(other) == before)
    #expect(try bytes(path) != before)
  }

  /// The limit of the size of files stands for a full disk.
  @Test(.enabled(if: Tool.isThere("prlimit"), Tool.note("prlimit")), arguments: files)
  func aFullDiskLeavesTheFileAsItWas(name: String) throws {
    let path = try copy(name)
    let cover = try folder.file(
      "cover.jpg", [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 300_000))
    let before = try bytes(path)
    let result = try Tool.run(
      "prlimit",
      ["--fsize=\(before.count + 1000)", Self.program, "tag", path, "--artwork", cover.path])
    #expect(result.status == 1, "\(result.errors)")
    #expect(try bytes(path) == before)
    #expect(try names().count == 2)
  }

  @Test(.enabled(if: getuid() == 0, "needs to be the superuser to become somebody else"))
  func whatMayNotBeWrittenIsRefused() throws {
    for name in Self.files {
      let path = try copy(name)
      let before = try bytes(path)
      for (mode, folderMode) in [("444", "777"), ("666", "555")] {
        #expect(try Tool.run("chmod", [mode, path]).status == 0)
        #expect(try Tool.run("chmod", [folderMode, folder.url.path]).status == 0)
        let result = try Tool.run(
          "setpriv",
          ["--reuid=65534", "--clear-groups", Self.program, "tag", path, "--set", "title=T"])
        #expect(result.status == 1, "\(name) \(mode): \(result.errors)")
        #expect(try bytes(path) == before, "\(name) \(mode)")
      }
      #expect(try Tool.run("chmod", ["755", folder.url.path]).status == 0)
      try FileManager.default.removeItem(atPath: path)
      #expect(try names().isEmpty)
    }
  }

  @Test func namesOfEveryKindAreTakenAsTheyAre() throws {
    let source = try SharedMedia.bytes("fixtures/full.m4a")
    let long = String(repeating: "n", count: 246) + ".m4a"
    for name in ["😀 ü.m4a", "line\nbreak.m4a", "-dash.m4a", long, "no ending", "%03d.m4a"] {
      let path = try folder.file(name, source).path
      _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
      let titles = try TagStore.read(path).items.filter { $0.commonKey == .title }
      #expect(titles.map(\.values) == [["T"]], "\(name)")
    }
  }
}

// MARK: - Killed at any time

extension TagSafetyTests {
  /// How often; more where somebody asks for it.
  static let rounds = Int(ProcessInfo.processInfo.environment["CUTROOM_KILLS"] ?? "") ?? 6

  /// A file that is larger than what is copied, with its movie header last.
  func largeFile() throws -> String {
    let path = folder.url.appending(path: "large.mov").path
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=3", "-pix_fmt", "rgb24"]
        + ["-c:v", "rawvideo", "-metadata", "title=value -1", path])
    try #require(made.status == 0, "\(made.errors)")
    return path
  }

  @Test(.enabled(if: Tool.isThere("ffmpeg"), Tool.note("ffmpeg")))
  func aLargeFileThatIsKilledIsTheOldOneOrTheNewOne() throws {
    let path = try largeFile()
    let media = try Tool.streamHash(URL(filePath: path))
    let size = try bytes(path).count
    #expect(size > 50_000_000)
    try killing(path) { before, after in
      let titles = try TagStore.read(path).items.filter { $0.commonKey == .title }.map(\.values)
      #expect(Set(titles).count == 1 && [[before], [after]].contains(titles.first), "\(titles)")
      // The inode stays, the media are not written again.
      #expect(try bytes(path).count < size + 100_000)
      #expect(try Tool.streamHash(URL(filePath: path)) == media)
    }
  }

  @Test(arguments: files.prefix(3)) func aFileThatIsKilledIsTheOldOneOrTheNewOne(
    name: String
  ) throws {
    let path = try copy(name)
    for _ in 0..<2 {
      _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["value -1"])])
    }
    var old = try bytes(path)
    try killing(path) { _, after in
      let found = try bytes(path)
      let titles = try TagStore.read(path).items.filter { $0.commonKey == .title }
      #expect(found == old || titles.allSatisfy { $0.values == [after] })
      if found != old {
        // The same edit that nobody interrupts gives the same bytes.
        let twin = try folder.file("twin" + path.suffix(4), Array(old)).path
        _ = try TagStore.retag(twin, changes: [.set(key: "title", values: [after])])
        #expect(try bytes(twin) == found)
        try FileManager.default.removeItem(atPath: twin)
      }
      old = found
    }
  }

  /// Starts edits and ends each with SIGKILL at a random moment.
  private func killing(
    _ path: String, check: (_ before: String, _ after: String) throws -> Void
  ) throws {
    var generator = Seeded(state: 9)
    var span = try ContinuousClock().measure { _ = try run(path, "value -1").waitUntilExit() }
    span = max(span, .milliseconds(20))
    var before = "value -1"
    for round in 0..<Self.rounds {
      let after = "value \(round)"
      let process = try run(path, after)
      usleep(UInt32.random(in: 0...UInt32(span / .microseconds(1)), using: &generator))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try check(before, after)
      let titles = try TagStore.read(path).items.filter { $0.commonKey == .title }
      before = titles.first?.values.first ?? before
      for name in try names() where name.hasPrefix(".cutroom-tag-") {
        try FileManager.default.removeItem(at: folder.url.appending(path: name))
      }
    }
  }

  private func run(_ path: String, _ title: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["tag", path, "--set", "title=" + title]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
