import { AppError } from '../../../src-shared/domain/app-error'
import type { ChildExit, ChildSpec, RunningChild } from '../process/child-process'
import { drainLines, spawnChild } from '../process/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../process/graceful-stop'

/** Runners do not read stdin, so there is nothing to wait for before SIGTERM; in ms. */
const STOP_GRACE = { ...DEFAULT_STOP_GRACE, stdinMs: 0 }

type Download = {
  /** Set once it is being ended: its failure is nobody's. */
  isEnding: boolean
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

  /**
   * Waits for the install command; rejects with INSTALL_FAILED. Aborting ends it when nobody else waits.
   * `onLine` tells who waits: the same one joins its own download of before.
   * `mask` hides the secrets of `spec` from the others that wait for the same download.
   */
  async install(
    spec: ChildSpec,
    onLine: (line: string) => void,
    cancelled: AbortSignal,
    mask: (line: string) => string = (line) => line,
  ): Promise<void> {
    const key = keyOf(spec)
    // One that was cancelled must be gone first: two would meet in the runner's cache.
    while (this.#downloads.get(key)?.isEnding) await this.#settled(key)
    cancelled.throwIfAborted()
    const download = this.#downloads.get(key) ?? this.#begin(key, spec, mask)
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

  async #settled(key: string): Promise<void> {
    await Promise.allSettled([this.#downloads.get(key)?.finished])
  }

  #begin(key: string, spec: ChildSpec, mask: (line: string) => string): Download {
    const listeners = new Set<(line: string) => void>()
    const hear = (line: string): void => {
      const masked = mask(line)
      listeners.forEach((listener) => listener(masked))
    }
    const started = spawnChild(spec, hear)
    const finished = started.then((child) => {
      child.stdin.on('error', (error) => hear(`(${error.message})`)).end()
      return untilDone(child, hear)
    })
    const download: Download = {
      isEnding: false,
      listeners,
      finished,
      stop: () => {
        download.isEnding = true
        return started.then(
          (child) => new GracefulStop(child, STOP_GRACE).stop(),
          () => undefined, // never started, so there is nothing to stop; `finished` carries the reason
        )
      },
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
  await child.drainStderr()
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
