import type { FaultProgram, FaultRun, Seen } from './fault-run'

export type EndedBy = 'stdin' | 'SIGTERM' | 'SIGKILL'

/** One row of the fault matrix: a server that does one thing wrong, and what comes of it. */
export type FaultRow = FaultProgram & {
  /** What the server does, as the end of a sentence that begins with "A server that". */
  readonly fault: string
  /** What of a Stop afterwards ends it: the end of its stdin where not given, which a server obeys in a blink. */
  readonly endsBy?: EndedBy
  /** Most MB held after all is over and garbage is collected. */
  readonly keptMb?: number
  /** Most MB above the resting size at the worst moment. */
  readonly peakMb?: number
  /** Runs the server, asserts what must be seen, and tells it. */
  readonly play: (run: FaultRun) => Promise<Seen>
}
