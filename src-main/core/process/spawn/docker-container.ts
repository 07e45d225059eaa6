import type { ChildProcess } from 'node:child_process'

import spawn from 'cross-spawn'

import { sendSignal, taskkill } from '../tree/kill-tree'

/** A container, and the client that reaches its daemon. */
export type ContainerRef = {
  /** A name that Patchbay gave; containers with their own names are left alone. */
  readonly name: string
  /** Path of `docker` or a compatible client. */
  readonly docker: string
}

/** The outcome of a request: done, no such container, or failed with docker's reason. */
export type ContainerOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: string }

/** Time for the container's own program to end, in seconds. */
const STOP_SECONDS = '2'
const MAX_OUTPUT = 2_000

/**
 * Stops a container (SIGTERM, SIGKILL after 2 s). Settles within `limitMs` or when `signal` is aborted, and never rejects; the client is
 * ended then.
 */
export function stopContainer(
  container: ContainerRef,
  env: Readonly<Record<string, string>>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<ContainerOutcome> {
  return runDocker(container, ['stop', '-t', STOP_SECONDS, container.name], env, limitMs, signal)
}

/** Kills and removes a container. Settles within `limitMs` and never rejects. */
export function removeContainer(
  container: ContainerRef,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<ContainerOutcome> {
  return runDocker(container, ['rm', '-f', container.name], env, limitMs)
}

function runDocker(
  { docker }: ContainerRef,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<ContainerOutcome> {
  let child: ChildProcess
  try {
    // In its own group: a Ctrl-C in Patchbay's terminal must not keep the container alive.
    child = spawn(docker, [...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    })
  } catch (error) {
    return Promise.resolve({ kind: 'failed', reason: String(error) })
  }
  return new Promise((resolve) => {
    let output = ''
    const append = (text: string): void => void (output = (output + text).slice(-MAX_OUTPUT))
    child.stdout?.setEncoding('utf8').on('data', append)
    child.stderr?.setEncoding('utf8').on('data', append)
    const finish = (outcome: ContainerOutcome): void => {
      clearTimeout(limit)
      signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const fail = (why: string): void => {
      endClient(child)
      finish({ kind: 'failed', reason: why })
    }
    const onAbort = (): void => fail('no longer needed')
    const waited = `no answer within ${(limitMs / 1_000).toFixed(1)} s`
    const limit = setTimeout(() => fail(waited), limitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    child.once('error', (error) => finish({ kind: 'failed', reason: error.message }))
    child.once('close', (code) => {
      // Newer versions report success for the forced removal of a missing container.
      if (/no such container/iu.test(output)) finish({ kind: 'absent' })
      else
        finish(code === 0 ? { kind: 'done' } : { kind: 'failed', reason: lastLine(output, code) })
    })
  })
}

/** Ends the whole tree: `docker` may be a script. */
function endClient(child: ChildProcess): void {
  if (child.pid !== undefined) {
    if (process.platform === 'win32') void taskkill([child.pid])
    else sendSignal(-child.pid, 'SIGKILL')
  }
  child.stdout?.destroy()
  child.stderr?.destroy()
}

function lastLine(output: string, code: number | null): string {
  const line = output.trim().split('\n').at(-1)
  return line === undefined || line === '' ? `exit code ${String(code)}` : line
}
