/** Why the gateway cannot be asked: it is not running, it broke off, or it knows no key of this agent. */
export type OutageKind = 'away' | 'cut' | 'refused'

/** The gateway cannot be asked now; the message tells the agent's person why and what to do. */
export class Outage extends Error {
  constructor(
    readonly kind: OutageKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Patchbay does not run, or has no endpoint. */
export function notRunning(): Outage {
  return new Outage('away', 'Patchbay is not running. Start it, then try again.')
}

/** It ended, or cut the connection, while it was asked. */
export function brokenOff(cause?: unknown): Outage {
  const message =
    'Patchbay quit or closed the connection before it responded. The request may have been completed.'
  return new Outage('cut', message, { cause })
}

const FIRST_MS = 1_000
const LONGEST_MS = 10_000
/** Who is refused once is refused again, until its person does something. */
const REFUSED_MS = 60_000

/** How long the bridge waits before it tries to reach the gateway again, in ms: longer each time. */
export class RetryWait {
  #next = FIRST_MS

  after(kind: OutageKind): number {
    if (kind === 'refused') return REFUSED_MS
    const now = this.#next
    this.#next = Math.min(LONGEST_MS, now * 1.6)
    return now
  }

  /** It was reached. */
  reset(): void {
    this.#next = FIRST_MS
  }
}
