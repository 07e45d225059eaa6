import type { Bridge } from '../../src-shared/ipc/contract'

/** Whether main can be reached: `refused` means that the token was missing or wrong, which no retry fixes. */
export type Connection = 'connecting' | 'connected' | 'lost' | 'refused'

/** A bridge together with the state of the line it uses. */
export type BridgeLink = {
  readonly bridge: Bridge
  /** Tells the present state at once and every change after it; returns the way to stop. */
  readonly watchConnection: (listener: (connection: Connection) => void) => () => void
}
