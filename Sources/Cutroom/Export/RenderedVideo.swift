import CutroomMedia
import CutroomModel
import Foundation

/// The packets of rendered pictures, made by worker threads chunk by chunk.
final class RenderedVideo: PacketStream {
  private let plan: ExportPlan
  private let video: VideoPlan
  private let board: ChunkBoard
  private let progress: ProgressMeter
  private let damage: DamagePolicy
  private let readers: ReaderBudget
  private var current: [Packet] = []
  private var position = 0
  private var chunk = 0
  private var isStarted = false
  private let jobs: Int

  private let reportsProgress: Bool

  /// `reportsProgress` is false where the packets are a part of the picture's.
  init(
    plan: ExportPlan, video: VideoPlan, jobs: Int, progress: ProgressMeter, damage: DamagePolicy,
    readers: ReaderBudget, reportsProgress: Bool = true
  ) {
    self.damage = damage
    self.readers = readers
    self.reportsProgress = reportsProgress
    self.plan = plan
    self.video = video
    self.progress = progress
    self.jobs = max(1, min(jobs, video.chunks.count))
    board = ChunkBoard(count: video.chunks.count, ahead: self.jobs + 1)
  }

  deinit { if isStarted { board.close() } }

  var parameters: CodecParameters {
    get throws(CutroomError) {
      let settings = try video.encoding.settings()
      do {
        let parameters = try Encoder(video: settings).parameters
        parameters.state(video.encoding.light)
        return parameters
      } catch {
        throw CutroomError(encoder: settings.encoder, error)
      }
    }
  }

  func next() throws(CutroomError) -> Packet? {
    if !isStarted { start() }
    while position >= current.count {
      guard chunk < video.chunks.count else { return nil }
      let (board, progress, reports) = (board, progress, reportsProgress)
      current = try board.packets(of: chunk) { () throws(CutroomError) in
        if reports {
          try progress.report(frames: board.framesDone)
        } else {
          try progress.cancellation.check()
        }
      }
      position = 0
      chunk += 1
    }
    defer { position += 1 }
    if reportsProgress { try progress.report(frames: board.framesDone) }
    return current[position]
  }

  private func start() {
    isStarted = true
    let (plan, video, board, progress) = (plan, video, board, progress)
    let (damage, readers) = (damage, readers)
    // Threads inside the decoder pay only where chunks are too few to keep the cores busy.
    let threads = video.chunks.count >= 2 * jobs ? 1 : 2
    for number in 1...jobs {
      board.workerBegins()
      let thread = Thread {
        Self.work(
          plan, video, board, progress, number, decoderThreads: threads, damage: damage,
          readers: readers)
        board.workerEnds()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  private static func work(
    _ plan: ExportPlan, _ video: VideoPlan, _ board: ChunkBoard, _ progress: ProgressMeter,
    _ number: Int, decoderThreads: Int, damage: DamagePolicy, readers: ReaderBudget
  ) {
    let name = "picture worker \(number)"
    do {
      let renderer = try ChunkRenderer(
        plan: plan, video: video, decoderThreads: decoderThreads, damage: damage, readers: readers)
      while let index = board.take() {
        var frame = video.encoding.frameRate.frame(at: video.chunks[index].start)
        let packets = try renderer.render(video.chunks[index]) { () throws(CutroomError) in
          progress.monitor.did(.frame(frame), name)
          frame += 1
          board.countFrame()
          if board.isClosed { throw .cancelled }
          try progress.cancellation.check()
        }
        board.finish(index, packets)
      }
    } catch {
      board.fail(error)
    }
  }
}
