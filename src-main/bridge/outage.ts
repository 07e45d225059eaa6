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
    'Patchbay ended, or broke the connection, before it answered. What was asked for may have been done.'
  return new Outage('cut', message, { cause })
}
