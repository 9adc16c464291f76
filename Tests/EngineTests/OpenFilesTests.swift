import CutroomMedia
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Files that stay open between uses.
@Suite(.needsFFmpeg) struct OpenFilesTests {
  @Test func aFileThatWasReadToItsEndIsReadAgain() throws {
    let (files, path) = (OpenFiles(), try Fixtures.file("count25.mp4").path)
    let file = try files.take(path)
    #expect(file.isAtStart)
    file.demuxer.select([0])
    let first = try #require(try file.demuxer.read()?.pts)
    while try file.demuxer.read() != nil {}
    files.give(file.demuxer)
    let again = try files.take(path)
    #expect(again.demuxer === file.demuxer && !again.isAtStart)
    try again.demuxer.seek(stream: 0, to: first)
    #expect(try again.demuxer.read()?.pts == first)
  }

  @Test func whatIsInUseIsNotGivenTwice() throws {
    let (files, path) = (OpenFiles(), try Fixtures.file("count25.mp4").path)
    let (one, other) = (try files.take(path), try files.take(path))
    #expect(one.demuxer !== other.demuxer)
  }

  @Test func ofFiveFilesTheOneUnusedForLongestIsClosed() throws {
    let files = OpenFiles()
    let names = ["count25.mp4", "hevc25.mp4", "a441.mp4", "noaudio.mp4", "base.mp4"]
    let taken = try names.map { try files.take(try Fixtures.file($0).path).demuxer }
    for file in taken { files.give(file) }
    #expect(try files.take(taken[0].path).demuxer !== taken[0])
    #expect(try files.take(taken[1].path).demuxer === taken[1])
    #expect(try files.take(taken[4].path).demuxer === taken[4])
  }
}
