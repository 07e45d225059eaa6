import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { within } from '../../lifecycle/time-limit'
import { patientFetch } from '../../network/patient-fetch'
import type { RunningChild } from '../../process/spawn/child-process'
import { isCut } from './remote-fetch'

const PORT_POLL_MS = 100
const ATTEMPT_MS = 2_000
/** A forwarder in front of a starting server, such as docker's, accepts a connection and closes it within this time, in ms. */
const HANG_UP_MS = 100
/** Time to wait for an exit after a connection was cut, in ms. */
const EXIT_WAIT_MS = 250
const RETRY_MS = 250
const NOT_UP = [502, 503]

/**
 * Creates a `fetch` for a child that serves HTTP on this computer, without a proxy: retries until the first real response. `onNotUp` gets
 * the status of an earlier response, once.
 */
export function localHttpFetch(
  child: Pick<RunningChild, 'exited'>,
  onNotUp: (status: number) => void,
): typeof globalThis.fetch {
  let isUp = false
  let isReported = false
  const sent = async (...[input, init]: Parameters<typeof globalThis.fetch>) => {
    const response = await patientFetch(input, init)
    isUp ||= !NOT_UP.includes(response.status)
    if (isUp) return response
    await response.body?.cancel()
    if (!isReported) onNotUp(response.status)
    isReported = true
    return undefined
  }
  return async (input, init) => {
    const signal = init?.signal ?? undefined
    for (;;) {
      try {
        const response = await sent(input, init)
        if (response) return response
      } catch (error) {
        const exited = child.exited.then(() => true)
        const hasEnded =
          signal?.aborted === true || (await within(EXIT_WAIT_MS, exited, () => false))
        if (isUp || hasEnded || !isNotUp(error)) throw error
      }
      await delay(RETRY_MS, undefined, { signal })
    }
  }
}

function isNotUp(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {}
  return isCut(error) || (cause as { code?: unknown } | undefined)?.code === 'ECONNREFUSED'
}

/** Whether a program accepts connections at a URL's host and port, and doesn't hang up within `graceMs`. */
export function acceptsConnections(url: URL, graceMs = 0): Promise<boolean> {
  return new Promise((resolve) => {
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    const host = url.hostname.replace(/^\[|\]$/gu, '')
    const socket = connect({ host, port, timeout: ATTEMPT_MS })
    let timer: NodeJS.Timeout | undefined
    const finish = (isListening: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isListening)
    }
    socket.once('connect', () => (timer = setTimeout(() => finish(true), graceMs)))
    socket.once('timeout', () => finish(false))
    socket.on('error', () => finish(false))
    socket.once('end', () => finish(false)).resume()
  })
}

export async function awaitPort(url: URL, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await acceptsConnections(url, HANG_UP_MS)))
    await delay(PORT_POLL_MS, undefined, { signal, ref: false }).catch(() => undefined) // Aborted: nobody waits.
}

/** Throws SPAWN_FAILED if a program already responds at the URL: it would be mistaken for the server. */
export async function checkPortIsFree(url: URL): Promise<void> {
  if (!(await acceptsConnections(url))) return
  throw new AppError(
    'SPAWN_FAILED',
    `Not started: another program already responds at ${url.host}.`,
    {
      hint: 'End that program, or choose another port under Configure. Then start the server again.',
    },
  )
}
