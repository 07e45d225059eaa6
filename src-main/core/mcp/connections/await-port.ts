import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'

const AGAIN_MS = 100
const ATTEMPT_MS = 2_000
/** What stands before a server that is not up yet, as docker does, takes a connection and cuts it at once; in ms. */
const HOLD_MS = 100

/** Whether something answers at the host and port of an address, and does not hang up within `holdMs`. */
export function isAnswered(url: URL, holdMs = 0): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostOf(url), port: portOf(url), timeout: ATTEMPT_MS })
    let hold: NodeJS.Timeout | undefined
    const settle = (answered: boolean): void => {
      clearTimeout(hold)
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => (hold = setTimeout(() => settle(true), holdMs)))
    socket.once('timeout', () => settle(false))
    socket.on('error', () => settle(false))
    socket.once('end', () => settle(false)).resume()
  })
}

/** Settles when something answers there and stays, or when `signal` is aborted. */
export async function awaitPort(url: URL, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isAnswered(url, HOLD_MS)))
    await delay(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined) // aborted: nobody waits
}

/** What is answered before a server has begun would be taken for the server: throws SPAWN_FAILED. */
export async function checkPortIsFree(url: URL): Promise<void> {
  if (!(await isAnswered(url))) return
  throw new AppError(
    'SPAWN_FAILED',
    `Not started: something else answers at ${url.host} already.`,
    { hint: 'End that, or choose another port under Configure, then start again.' },
  )
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
