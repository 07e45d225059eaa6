import 'vitest'

/** A row's result for the table in docs/reliability.md. */
export type RowResult = {
  readonly group: string
  readonly fault: string
  readonly seen: string
  /** Time until it was seen. */
  readonly ms: number
  /** Time from Stop to Stopped. */
  readonly stopMs: number
  readonly processesLeft: number
  readonly keptMb: number
  readonly peakMb: number | undefined
}

declare module 'vitest' {
  interface TaskMeta {
    faultRow?: RowResult
  }
}
