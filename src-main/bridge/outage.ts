/** Why the gateway cannot be asked: it is not running, it disconnected, or it rejects the key of this agent. */
export type OutageKind = 'away' | 'cut' | 'refused'

/** The gateway cannot be asked now; the message tells the agent's user why and what to do. */
export class Outage extends Error {
  constructor(
    readonly kind: OutageKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export function notRunning(): Outage {
  return new Outage('away', 'Patchbay is not running. Start it, then try again.')
}

export function disconnected(cause?: unknown): Outage {
  const message =
    'Patchbay quit or closed the connection before it responded. The request may have been completed.'
  return new Outage('cut', message, { cause })
}
