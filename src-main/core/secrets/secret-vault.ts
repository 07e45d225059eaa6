import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'

import { AppError } from '../../../src-shared/domain/app-error'
import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { background } from '../lifecycle/background'
import { Emitter } from '../lifecycle/emitter'
import { seconds, TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'
import type { Keychain } from '../ports'
import { describeFailure, guardedBackend } from './guarded-backend'
import { hasSecretsFile, SecretsFile } from './secrets-file'

const UNLOCK = 'Unlock it, then start Patchbay again.'

/** Whether secrets of earlier runs can be read and deleted now. */
export function reachesSecrets({ kind }: SecretStoreState): boolean {
  return kind === 'keychain' || kind === 'file'
}

/** The reason for a missing keychain, and its fix. */
type NoKeychain = Omit<Extract<SecretStoreState, { readonly kind: 'memory' }>, 'kind'>

/**
 * Checks whether a keychain works by storing, reading and deleting a random value. Only a round trip shows it: a locked keychain and a
 * missing one both read as "no such secret". Each step is limited to `limitMs`.
 */
async function probeKeychain(
  load: () => Promise<Keychain>,
  limitMs: number,
): Promise<{ backend: Keychain } | NoKeychain> {
  let backend: Keychain
  try {
    backend = await withTimeLimit(limitMs, load)
  } catch (error) {
    return {
      reason: 'The keychain library couldn’t be loaded.',
      fix: 'On Linux, install libsecret (libsecret-1-0 on Debian and Ubuntu), then start Patchbay again.',
      systemMessage: describeFailure(error),
    }
  }
  try {
    return (await roundTrip(backend, limitMs))
      ? { backend }
      : { reason: 'The keychain did not return the stored test value.', fix: UNLOCK }
  } catch (error) {
    return reasonOf(error)
  }
}

async function roundTrip(backend: Keychain, limitMs: number): Promise<boolean> {
  const key = `probe/${randomUUID()}`
  const value = randomUUID()
  const stored = backend.set(key, value)
  try {
    await withTimeLimit(limitMs, () => stored)
    const read = await withTimeLimit(limitMs, () => backend.get(key))
    const deleted = await withTimeLimit(limitMs, () => backend.delete(key))
    return read === value && deleted
  } catch (error) {
    // A user who unlocks the keychain after the limit lets the write through.
    background(
      stored.then(() => backend.delete(key)),
      'deleting a probe from the keychain',
    )
    throw error
  }
}

function reasonOf(error: unknown): NoKeychain {
  if (error instanceof TimeLimitError) {
    const waited = seconds(error.limitMs)
    return {
      reason: `The keychain did not respond within ${waited}. It may be locked.`,
      fix: UNLOCK,
    }
  }
  return {
    reason: 'The keychain can’t be used.',
    fix: 'Check that a keychain (on Linux GNOME Keyring, KWallet, or another Secret Service) is running and unlocked. Then start Patchbay again.',
    systemMessage: describeFailure(error),
  }
}

/** Absolute path of the encrypted secrets file, and its passphrase if the environment provides one. */
type SecretsFileOptions = { readonly path: string; readonly passphrase?: string | undefined }

/** Times are in ms. */
export type SecretVaultOptions = {
  /** Loads the keychain; a rejection means that there is none. */
  readonly load: () => Promise<Keychain>
  /** Absent if no file can be created. */
  readonly file?: SecretsFileOptions
  readonly callTimeoutMs?: number
  readonly probeTimeoutMs?: number
}

/**
 * The store of this run's secrets. Calls wait until the keychain check is done. A keychain that is missing, locked or hanging is replaced
 * by an encrypted file if the user chose that (E16). Otherwise secrets are in memory for this run. Nothing is ever written to disk in clear
 * text.
 */
export class SecretVault implements Keychain {
  /** Resolves when the check is done, whatever its outcome; never rejects. */
  readonly ready: Promise<void>
  readonly #changed = new Emitter<SecretStoreState>()
  #state: SecretStoreState = { kind: 'checking' }
  #backend: Promise<Keychain>
  /** State and backend to use without a file. */
  #without: { readonly state: SecretStoreState; readonly backend: Keychain } | undefined
  readonly onDidChangeState = this.#changed.event

  constructor(private readonly options: SecretVaultOptions) {
    this.#backend = this.#open()
    this.ready = this.#backend.then(() => undefined)
  }

  get #path(): string {
    const { file } = this.options
    if (!file) throw noFile()
    return file.path
  }

  get state(): SecretStoreState {
    return this.#state
  }

  readonly get = async (key: string): Promise<string | null> => (await this.#backend).get(key)

  readonly set = async (key: string, value: string): Promise<void> => {
    if (value === '') {
      throw new AppError('SECRET_STORE_FAILED', 'An empty secret can’t be saved.', {
        hint: 'Enter a value, or remove the secret.',
      })
    }
    await (await this.#backend).set(key, value)
  }

  readonly delete = async (key: string): Promise<boolean> => (await this.#backend).delete(key)

  readonly keys = async (): Promise<string[]> => (await this.#backend).keys()

  /** Opens the locked secrets file, and moves its content to the keychain if there is one. Rejects with SECRET_STORE_FAILED. */
  async unlock(passphrase: string): Promise<void> {
    await this.ready
    if (this.#state.kind !== 'locked') return
    await this.#openFile(passphrase)
  }

  /** Keeps secrets in an encrypted file from now on, or re-encrypts the file with another passphrase. Rejects with SECRET_STORE_FAILED. */
  async encrypt(passphrase: string): Promise<void> {
    await this.ready
    const { kind } = this.#state
    if (kind !== 'memory' && kind !== 'file') throw noFile()
    const before = await this.#backend
    const made = this.#encrypted(before, passphrase)
    // Calls made meanwhile wait, so that nothing is saved outside of the copy.
    this.#backend = made.catch(() => before)
    await made
    this.#set({ kind: 'file' })
  }

  /** Deletes the locked file whose passphrase is lost, and continues without it. Rejects with SECRET_STORE_FAILED. */
  async deleteFile(): Promise<void> {
    await this.ready
    if (this.#state.kind !== 'locked' || !this.#without) return
    this.#removeFile()
    this.#use(this.#without.backend, this.#without.state)
  }

  async #open(): Promise<Keychain> {
    const { load, file, callTimeoutMs = 4_000, probeTimeoutMs = callTimeoutMs } = this.options
    const found = await probeKeychain(load, probeTimeoutMs)
    this.#without =
      'backend' in found
        ? {
            state: { kind: 'keychain' },
            backend: guardedBackend(found.backend, callTimeoutMs),
          }
        : { state: { kind: 'memory', ...found }, backend: memoryBackend() }
    if (!file || !hasSecretsFile(file.path)) {
      this.#set(this.#without.state)
      return this.#without.backend
    }
    let problem: string | undefined
    try {
      if (file.passphrase !== undefined) return await this.#openFile(file.passphrase)
    } catch (error) {
      problem = error instanceof AppError ? error.message : undefined
    }
    const movesToKeychain = this.#without.state.kind === 'keychain'
    this.#set({ kind: 'locked', movesToKeychain, ...(problem !== undefined && { problem }) })
    return LOCKED
  }

  async #encrypted(before: Keychain, passphrase: string): Promise<Keychain> {
    const entries: [string, string][] = []
    for (const key of await before.keys()) entries.push([key, (await before.get(key)) ?? ''])
    return SecretsFile.create(this.#path, passphrase, entries)
  }

  async #openFile(passphrase: string): Promise<Keychain> {
    const file = await SecretsFile.open(this.#path, passphrase)
    const { backend, state } = this.#without ?? {}
    if (state?.kind !== 'keychain' || !backend) return this.#use(file, { kind: 'file' })
    for (const [key, value] of file.entries) await backend.set(key, value)
    // Delete the file last: until every secret is in the keychain, the file is the only copy.
    this.#removeFile()
    return this.#use(backend, state)
  }

  #use(backend: Keychain, state: SecretStoreState): Keychain {
    this.#backend = Promise.resolve(backend)
    this.#set(state)
    return backend
  }

  #removeFile(): void {
    const path = this.#path
    try {
      rmSync(path, { force: true })
    } catch (error) {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException
      throw new AppError('SECRET_STORE_FAILED', `${path} can’t be deleted (${code}).`, {
        hint: 'Delete the file yourself, then start Patchbay again.',
      })
    }
  }

  #set(state: SecretStoreState): void {
    this.#state = state
    this.#changed.emit(state)
  }
}

function locked(): Promise<never> {
  return Promise.reject(
    new AppError('SECRET_STORE_FAILED', 'The secrets file is locked.', {
      hint: 'Enter its passphrase in Patchbay, or set PATCHBAY_PASSPHRASE before it starts.',
    }),
  )
}

const LOCKED: Keychain = { get: locked, set: locked, delete: locked, keys: locked }

function noFile(): AppError {
  return new AppError('SECRET_STORE_FAILED', 'No encrypted file of secrets can be made here.', {
    hint: 'Secrets are in the keychain, or the file waits for its passphrase.',
  })
}

/** Keeps secrets in memory only, until the process ends. */
export function memoryBackend(): Keychain {
  const secrets = new Map<string, string>()
  return {
    get: (key) => Promise.resolve(secrets.get(key) ?? null),
    set: (key, value) => {
      secrets.set(key, value)
      return Promise.resolve()
    },
    delete: (key) => Promise.resolve(secrets.delete(key)),
    keys: () => Promise.resolve([...secrets.keys()]),
  }
}
