import { AppError } from '../../../src-shared/domain/app-error'
import type { ChildExit, ChildSpec, RunningChild } from '../process/child-process'
import { drainLines, spawnChild } from '../process/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../process/graceful-stop'

/** Runners do not read stdin, so there is nothing to wait for before SIGTERM; in ms. */
const STOP_GRACE = { ...DEFAULT_STOP_GRACE, stdinMs: 0 }

type Download = {
  readonly finished: Promise<ChildExit>
  readonly stop: () => Promise<void>
  readonly listeners: Set<(line: string) => void>
}

/**
 * Fetches packages before their servers start, so that no handshake waits for a download (B9). Servers
 * of one package share one download; one whose waiters gave up by time goes on, as its result is kept.
 */
export class PackageInstaller {
  readonly #downloads = new Map<string, Download>()
  readonly #installed = new Set<string>()

  /** Whether this very command has succeeded since the app started. */
  isInstalled(spec: ChildSpec): boolean {
    return this.#installed.has(keyOf(spec))
  }

  /** Waits for the install command; rejects with INSTALL_FAILED. Aborting ends it when nobody else waits. */
  async install(
    spec: ChildSpec,
    onLine: (line: string) => void,
    cancelled: AbortSignal,
  ): Promise<void> {
    const key = keyOf(spec)
    const download = this.#downloads.get(key) ?? this.#begin(key, spec)
    download.listeners.add(onLine)
    const onCancel = (): void => {
      download.listeners.delete(onLine)
      if (download.listeners.size === 0) void download.stop()
    }
    cancelled.addEventListener('abort', onCancel, { once: true })
    try {
      const exit = await download.finished
      if (exit.code !== 0) throw installError(spec, exit)
      this.#installed.add(key)
    } finally {
      cancelled.removeEventListener('abort', onCancel)
    }
  }

  /** Ends every download. */
  async close(): Promise<void> {
    await Promise.all([...this.#downloads.values()].map((download) => download.stop()))
  }

  #begin(key: string, spec: ChildSpec): Download {
    const listeners = new Set<(line: string) => void>()
    const hear = (line: string): void => listeners.forEach((listener) => listener(line))
    const started = spawnChild(spec, hear)
    const finished = started.then((child) => {
      child.stdin.on('error', (error) => hear(`(${error.message})`)).end()
      return untilDone(child, hear)
    })
    const download: Download = {
      listeners,
      finished,
      stop: () =>
        started.then(
          (child) => new GracefulStop(child, STOP_GRACE).stop(),
          () => undefined, // never started, so there is nothing to stop; `finished` carries the reason
        ),
    }
    this.#downloads.set(key, download)
    const forget = (): boolean => this.#downloads.delete(key)
    finished.then(forget, forget)
    return download
  }
}

async function untilDone(child: RunningChild, hear: (line: string) => void): Promise<ChildExit> {
  void drainLines(child.stdout, hear)
  const exit = await child.exited
  await child.stderrDrained
  return exit
}

function keyOf(spec: ChildSpec): string {
  return JSON.stringify([spec.command, spec.args])
}

function installError(spec: ChildSpec, exit: ChildExit): AppError {
  const how = exit.signal ?? `exit code ${String(exit.code)}`
  return new AppError(
    'INSTALL_FAILED',
    `The package could not be installed (${spec.command}: ${how}).`,
    {
      hint: 'The lines below say why: a name or version that does not exist, or no network. Mend it, then start again.',
    },
  )
}
