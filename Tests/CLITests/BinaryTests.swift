import Foundation
import TestSupport
import Testing

struct BinaryTests {
  @Test func theExitStatusAndTheStreamsAreTheContracts() throws {
    try withTemporaryDirectory { directory in
      let version = try Binary.run("--version", in: directory)
      #expect(version.status == 0)
      #expect(version.results.hasPrefix("cutroom "))
      #expect(version.messages.isEmpty)
      let mistake = try Binary.run("exprot", in: directory)
      #expect(mistake.status == 2)
      #expect(mistake.results.isEmpty)
      #expect(mistake.messages.contains("did you mean 'export'?"))
    }
  }
}
