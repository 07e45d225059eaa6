import type { FaultProgram, FaultRun, Seen } from './fault-run'

export type EndedBy = 'stdin' | 'SIGTERM' | 'SIGKILL'

/** A row of the fault matrix: a server with one fault, and the expected result. */
export type FaultRow = FaultProgram & {
  /** The fault, as the end of a sentence that begins with "A server that". */
  readonly fault: string
  /** The stage of a later Stop that ends the server; by default the end of its stdin. */
  readonly endsBy?: EndedBy
  /** Most MB in use after everything has ended and garbage is collected. */
  readonly keptMb?: number
  /** Most MB above the resting size at the peak. */
  readonly peakMb?: number
  /** Runs the server, asserts the expected behavior, and returns it. */
  readonly play: (run: FaultRun) => Promise<Seen>
}
