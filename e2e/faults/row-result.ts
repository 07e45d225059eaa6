import 'vitest'

/** What one row gave, for the table in docs/reliability.md. */
export type RowResult = {
  readonly group: string
  readonly fault: string
  readonly seen: string
  /** Until it was seen. */
  readonly ms: number
  /** From Stop to Stopped. */
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
