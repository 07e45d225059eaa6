import type { KeyObject } from 'node:crypto'

import { AppError } from '../../../src-shared/domain/app-error'
import { errorMessage } from '../../../src-shared/domain/error-message'
import type { NewVersion, UpdateState } from '../../../src-shared/domain/state/app-update'
import { background } from '../lifecycle/background'
import { Emitter } from '../lifecycle/emitter'
import type { Timekeeper } from '../ports'
import type { UpdateChannel } from './update-channel'
import { rejected, type UpdateManifest, verifyDownload, verifyManifest } from './update-manifest'

const FIRST_CHECK_MS = 60_000
const CHECK_EVERY_MS = 24 * 60 * 60 * 1_000
const FETCH_LIMIT_MS = 30_000
const MAX_MANIFEST_BYTES = 1_000_000

/** Downloads and installs updates; only the desktop app has one. */
export type UpdateInstaller = {
  /** Resolves to the absolute path of this system's file. `onProgress` gets a percentage. */
  download(manifest: UpdateManifest, onProgress: (percent: number) => void): Promise<string>
  /** Resolves to false if the user doesn't want to quit now. */
  mayQuit(): Promise<boolean>
  /** Replaces the app on quit; opens the new version if `restarts`. */
  install(restarts: boolean): void
}

/** The source and installer of updates. */
export type UpdateSource = {
  /** Address of this system's manifest; the signature's address adds `.sig`. */
  readonly manifest: string
  /** Verifies the signature. */
  readonly key: KeyObject
  readonly channel: UpdateChannel
  /** Absent if a package manager installs updates. */
  readonly installer?: UpdateInstaller
}

/** Dependencies of updates. */
export type AppUpdatesParts = {
  readonly source: UpdateSource
  /** The installed version. */
  readonly version: string
  readonly fetch: typeof globalThis.fetch
  readonly time: Timekeeper
  /** Whether Patchbay may check and download automatically. */
  readonly isAutomatic: () => boolean
  /** Quits the app: stops everything, then calls `installAtQuit`. */
  readonly end: () => void
}

/** Updates of Patchbay itself: checked daily, verified before installation, and never installed during a call. */
export class AppUpdates implements Disposable {
  readonly #changed = new Emitter<UpdateState>()
  #state: UpdateState = { kind: 'idle' }
  #manifest: UpdateManifest | undefined
  /** Path of the verified download. */
  #file: string | undefined
  #restarts = false
  #work: Promise<void> | undefined
  #timer: Disposable

  readonly onDidChange = this.#changed.event

  constructor(private readonly parts: AppUpdatesParts) {
    this.#timer = parts.time.after(FIRST_CHECK_MS, () => this.#checkDaily())
  }

  get state(): UpdateState {
    return this.#state
  }

  /** Looks for a newer version, and downloads it if updates are automatic. Never rejects: a failure is a state. */
  check(): Promise<void> {
    return this.#run(async () => {
      if (this.#state.kind === 'ready') return
      this.#set({ kind: 'checking' })
      const { source, version, isAutomatic, time } = this.parts
      const manifest = verifyManifest(await this.#fetchManifest(), source.key, version)
      this.#manifest = manifest
      if (manifest.version === version) {
        this.#set({ kind: 'current', checkedAt: time.now() })
        return
      }
      const command = source.channel === 'self' ? undefined : source.channel.command
      this.#set({ kind: 'available', ...newVersionOf(manifest), ...(command && { command }) })
      if (isAutomatic()) await this.#download()
    })
  }

  /** Downloads and verifies the found version. Never rejects: a failure is a state. */
  download(): Promise<void> {
    return this.#run(() => this.#download())
  }

  /**
   * Quits, installs the verified update, and opens the new version. Rejects with NOT_FOUND without one, and CALLS_RUNNING while there are
   * `calls` requests in flight.
   */
  async restart(calls: number): Promise<void> {
    if (this.#file === undefined) throw new AppError('NOT_FOUND', 'No update is ready to install.')
    if (calls > 0)
      throw new AppError(
        'CALLS_RUNNING',
        calls === 1 ? '1 tool call is running.' : `${calls} tool calls are running.`,
        {
          hint: 'Try again when the calls are done, or quit Patchbay to install the update.',
        },
      )
    if (!(await this.parts.source.installer?.mayQuit())) return
    this.#restarts = true
    this.parts.end()
  }

  /** Call when every server has stopped: installs the verified update, if any. Never rejects. */
  async installAtQuit(): Promise<void> {
    if (this.#file !== undefined) await this.#run(() => this.#install())
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]()
    this.#changed[Symbol.dispose]()
  }

  #checkDaily(): void {
    this.#timer = this.parts.time.after(CHECK_EVERY_MS, () => this.#checkDaily())
    if (this.parts.isAutomatic()) background(this.check(), 'checking for an update')
  }

  async #fetchManifest(): Promise<{ bytes: Uint8Array; signature: string }> {
    const { manifest } = this.parts.source
    const bytes = await this.#fetchBytes(manifest)
    const signature = await this.#fetchBytes(`${manifest}.sig`)
    return { bytes, signature: Buffer.from(signature).toString('utf8') }
  }

  async #fetchBytes(address: string): Promise<Uint8Array> {
    try {
      const signal = AbortSignal.timeout(FETCH_LIMIT_MS)
      const answer = await this.parts.fetch(address, { signal, cache: 'no-store' })
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        size += chunk.length
        if (size > MAX_MANIFEST_BYTES) throw new Error('The response is too long')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } catch (cause) {
      throw new AppError('UPDATE_REJECTED', "Can't reach the update server.", {
        hint: 'Check your network, then try again.',
        cause,
      })
    }
  }

  async #download(): Promise<void> {
    const manifest = this.#manifest
    const { installer } = this.parts.source
    if (!manifest || !installer || this.#state.kind !== 'available') return
    const version = newVersionOf(manifest)
    this.#set({ kind: 'downloading', ...version, percent: 0 })
    const file = await installer.download(manifest, (percent) => {
      const whole = Math.min(Math.max(Math.floor(percent), 0), 100)
      if (this.#state.kind === 'downloading' && this.#state.percent !== whole)
        this.#set({ kind: 'downloading', ...version, percent: whole })
    })
    await verifyDownload(file, manifest)
    this.#file = file
    this.#set({ kind: 'ready', ...version })
  }

  /** Another program may have changed the file since its download. */
  async #install(): Promise<void> {
    const { installer } = this.parts.source
    if (this.#file === undefined || !this.#manifest || !installer) return
    await verifyDownload(this.#file, this.#manifest)
    installer.install(this.#restarts)
  }

  /** Runs one task at a time; callers join a running one. */
  #run(work: () => Promise<void>): Promise<void> {
    this.#work ??= work()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#work = undefined))
    return this.#work
  }

  #fail(error: unknown): void {
    const fallback = `The update couldn’t be downloaded: ${errorMessage(error).slice(0, 300)}`
    const { message, hint } = error instanceof AppError ? error : rejected(fallback)
    const failed = { kind: 'failed', message, checkedAt: this.parts.time.now() } as const
    this.#set({ ...failed, ...(hint !== undefined && { hint }) })
  }

  #set(state: UpdateState): void {
    this.#state = state
    this.#changed.emit(state)
  }
}

function newVersionOf({ version, releaseNotes }: UpdateManifest): NewVersion {
  return { version, notes: releaseNotes ?? '' }
}
