import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import pLimit from 'p-limit'

import type { SecretVault } from '../../secrets/secret-vault'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The location of backups and the store of their key. */
export type ChangeBackupsOptions = {
  /** Absolute path; created with the first backup. */
  readonly folder: string
  /** Returns the id of this profile's key. */
  readonly backupsId: () => string
  readonly vault: Pick<SecretVault, 'get' | 'set' | 'state' | 'ready'>
}

/**
 * Stores the bytes of app files before changes. They may hold anybody's secrets, so they are encrypted with a key in the keychain. Without
 * a keychain they are kept in memory for this run.
 */
export class ChangeBackups {
  readonly #inMemory = new Map<string, Buffer>()
  #cachedKey: Buffer | undefined
  readonly #inTurn = pLimit(1)

  constructor(private readonly options: ChangeBackupsOptions) {}

  /** Stores the bytes until `drop`. Rejects with the system's error or SECRET_STORE_FAILED. */
  async store(changeId: string, bytes: Buffer): Promise<void> {
    const key = await this.#key(true)
    if (!key) {
      this.#inMemory.set(changeId, bytes)
      return
    }
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(changeId))
    const hidden = Buffer.concat([cipher.update(bytes), cipher.final()])
    const { folder } = this.options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const temporary = `${this.pathOf(changeId)}.new`
    const encrypted = Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    await writeFile(temporary, encrypted, { flag: 'wx', mode: 0o600 })
    await rename(temporary, this.pathOf(changeId))
  }

  /** Whether a backup exists, without reading it. */
  has(changeId: string): boolean {
    return this.#inMemory.has(changeId) || existsSync(this.pathOf(changeId))
  }

  /** Returns the stored bytes; undefined if they or their key are gone. Rejects with SECRET_STORE_FAILED. */
  async read(changeId: string): Promise<Buffer | undefined> {
    const cached = this.#inMemory.get(changeId)
    if (cached) return cached
    const key = await this.#key(false)
    if (!key) return undefined
    try {
      const whole = await readFile(this.pathOf(changeId))
      const body = whole.subarray(NONCE_BYTES + TAG_BYTES)
      const nonce = whole.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce)
        .setAAD(Buffer.from(changeId))
        .setAuthTag(whole.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(body), decipher.final()])
    } catch {
      // Missing, truncated, or encrypted with another key: unreadable.
      return undefined
    }
  }

  /** Deletes a backup. Rejects with the system's error. */
  async drop(changeId: string): Promise<void> {
    this.#inMemory.delete(changeId)
    await rm(this.pathOf(changeId), { force: true })
    await rm(`${this.pathOf(changeId)}.new`, { force: true })
  }

  /** Returns a backup's path; in-memory backups have no file there. */
  pathOf(changeId: string): string {
    return join(this.options.folder, `${changeId}.bin`)
  }

  /** Resolves to undefined if secrets are in memory, or if there is no key and `isMade` is false. */
  #key(isMade: boolean): Promise<Buffer | undefined> {
    return this.#inTurn(async () => (this.#cachedKey ??= await this.#openKey(isMade)))
  }

  async #openKey(isMade: boolean): Promise<Buffer | undefined> {
    const { vault, backupsId } = this.options
    // Several profiles share one keychain.
    const name = `host-backups/${backupsId()}`
    await vault.ready
    if (vault.state.kind === 'memory') return undefined
    const storedKey = Buffer.from((await vault.get(name)) ?? '', 'base64')
    if (storedKey.length === KEY_BYTES) return storedKey
    if (!isMade) return undefined
    const key = randomBytes(KEY_BYTES)
    await vault.set(name, key.toString('base64'))
    return key
  }
}
