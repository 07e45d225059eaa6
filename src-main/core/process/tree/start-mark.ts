import { randomBytes } from 'node:crypto'

/**
 * The environment variable that every child carries and hands on to all that it starts: on Linux it
 * finds descendants that left the group and were given to another parent. It is no secret.
 */
export const START_MARK = 'PATCHBAY_RUN'

/** A fresh token for one run of the app, in hex. */
export function newRunToken(): string {
  return randomBytes(16).toString('hex')
}

/** The mark of one child: `RUN:CHILD`. */
export function startMark(run: string, child: string): string {
  return `${run}:${child}`
}

/** The parts of a mark; undefined for a text that is none. */
export function parseStartMark(text: string): { run: string; child: string } | undefined {
  const parts = /^([0-9a-f]{32}):([\w-]+)$/u.exec(text)
  return parts ? { run: parts[1] ?? '', child: parts[2] ?? '' } : undefined
}
