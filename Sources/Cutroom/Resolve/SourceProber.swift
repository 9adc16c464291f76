import CutroomModel
import Foundation
import Synchronization

/// Opens files for their description.
package typealias AssetOpener = @Sendable (String) throws(AssetError) -> AssetInfo

/// Opens many files at once, on at most eight threads of its own.
struct SourceProber: Sendable {
  var open: AssetOpener

  private struct State {
    var next = 0
    var results: [String: Result<AssetInfo, AssetError>] = [:]
  }

  private final class Work: Sendable {
    let state = Mutex(State())
  }

  /// The description of each of `paths`, or why there is none; returns when all are known.
  func probe(_ paths: [String]) -> [String: Result<AssetInfo, AssetError>] {
    let work = Work()
    let open = open
    let run: @Sendable () -> Void = {
      while true {
        let path: String? = work.state.withLock { state in
          guard state.next < paths.count else { return nil }
          state.next += 1
          return paths[state.next - 1]
        }
        guard let path else { return }
        let result: Result<AssetInfo, AssetError>
        do throws(AssetError) {
          result = .success(try open(path))
        } catch {
          result = .failure(error)
        }
        work.state.withLock { $0.results[path] = result }
      }
    }
    let group = DispatchGroup()
    for _ in 0..<min(paths.count, 8, max(2, ProcessInfo.processInfo.activeProcessorCount)) {
      group.enter()
      let thread = Thread {
        run()
        group.leave()
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    group.wait()
    return work.state.withLock { $0.results }
  }
}
