import type { ChildProcess } from 'node:child_process'

import spawn from 'cross-spawn'

/** Which container, and the program that speaks of it to the daemon. */
export type ContainerRef = {
  /** A name that Patchbay gave; containers with names of their own are left alone. */
  readonly name: string
  /** Path of `docker`, or of what stands in for it. */
  readonly docker: string
}

/** What became of a request: docker did it, knew no such container, or did not do it for the reason that it gave. */
export type ContainerOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly said: string }

/** In seconds, for the container's own program to end. */
const STOP_SECONDS = '2'
const MAX_SAID = 2_000

/** Asks a container to end (SIGTERM, and SIGKILL after 2 s). Settles within `limitMs` and never rejects. */
export function stopContainer(
  container: ContainerRef,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<ContainerOutcome> {
  return tell(container, ['stop', '-t', STOP_SECONDS, container.name], env, limitMs)
}

/** Ends and removes a container at once. Settles within `limitMs` and never rejects. */
export function removeContainer(
  container: ContainerRef,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<ContainerOutcome> {
  return tell(container, ['rm', '-f', container.name], env, limitMs)
}

function tell(
  { docker }: ContainerRef,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<ContainerOutcome> {
  let child: ChildProcess
  try {
    // A group of its own: a Ctrl-C in Patchbay's terminal must not keep the container alive.
    child = spawn(docker, [...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    })
  } catch (error) {
    return Promise.resolve({ kind: 'failed', said: String(error) })
  }
  return new Promise((resolve) => {
    let said = ''
    const hear = (text: string): void => void (said = (said + text).slice(-MAX_SAID))
    child.stdout?.setEncoding('utf8').on('data', hear)
    child.stderr?.setEncoding('utf8').on('data', hear)
    const finish = (outcome: ContainerOutcome): void => {
      clearTimeout(limit)
      resolve(outcome)
    }
    const limit = setTimeout(() => {
      child.kill('SIGKILL')
      child.stdout?.destroy()
      child.stderr?.destroy()
      finish({ kind: 'failed', said: `no answer within ${(limitMs / 1_000).toFixed(1)} s` })
    }, limitMs)
    child.once('error', (error) => finish({ kind: 'failed', said: error.message }))
    child.once('close', (code) => {
      // Newer versions take a forced removal of what is not there for a success.
      if (/no such container/iu.test(said)) finish({ kind: 'absent' })
      else finish(code === 0 ? { kind: 'done' } : { kind: 'failed', said: lastLine(said, code) })
    })
  })
}

function lastLine(said: string, code: number | null): string {
  const line = said.trim().split('\n').at(-1)
  return line === undefined || line === '' ? `exit code ${String(code)}` : line
}
