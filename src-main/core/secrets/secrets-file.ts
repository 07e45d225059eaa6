import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scrypt,
  type ScryptOptions,
} from 'node:crypto'
import { lstatSync } from 'node:fs'

import pLimit from 'p-limit'
import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'
import type { Keychain } from '../ports'
import { readOwnText, writeOwnText } from '../storage/own-file'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const MAX_BYTES = 16 * 1024 * 1024
/** About 0.3 s and 128 MB (RFC 7914; OWASP's Password Storage Cheat Sheet). */
const COST = { n: 2 ** 17, r: 8, p: 1 }
/** Memory limit for a file's scrypt parameters, in bytes: anybody could have written the file. */
const MAX_MEMORY = 1024 * 1024 * 1024

const Base64 = z.base64()
/** The file's format: everything except `data` is its header. */
const SecretsDocument = z.object({
  version: z.literal(1),
  kdf: z.object({
    name: z.literal('scrypt'),
    n: z.union([14, 15, 16, 17, 18, 19, 20].map((power) => z.literal(2 ** power))),
    r: z.number().int().min(1).max(8),
    p: z.number().int().min(1).max(4),
    salt: Base64,
  }),
  cipher: z.literal(CIPHER),
  nonce: Base64,
  tag: Base64,
  data: Base64,
})
type SecretsDocument = z.infer<typeof SecretsDocument>
type Kdf = SecretsDocument['kdf']

const Secrets = z.record(z.string(), z.string())

/** File name in the profile folder. */
export const SECRETS_FILE = 'secrets.encrypted.json'

/** Whether the file exists. */
export function hasSecretsFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Secrets in one file encrypted with a passphrase (E16): scrypt derives the key, AES-256-GCM encrypts and authenticates the content. Each
 * change rewrites the whole file, for this account only.
 */
export class SecretsFile implements Keychain {
  readonly #inTurn = pLimit(1)
  #secrets: ReadonlyMap<string, string>

  private constructor(
    private readonly path: string,
    private readonly kdf: Kdf,
    private readonly key: Buffer,
    secrets: Iterable<readonly [string, string]>,
  ) {
    this.#secrets = new Map(secrets)
  }

  /** Opens an existing file. Rejects with SECRET_STORE_FAILED if the passphrase is wrong or the file was changed. */
  static async open(path: string, passphrase: string): Promise<SecretsFile> {
    const document = readDocument(path)
    const key = await keyOf(passphrase, document.kdf)
    const secrets = opened(document, key)
    if (!secrets)
      throw new AppError(
        'SECRET_STORE_FAILED',
        'The passphrase is wrong, or the file was changed.',
        { hint: `Try again. The file is ${path}.` },
      )
    return new SecretsFile(path, document.kdf, key, Object.entries(secrets))
  }

  /**
   * Writes a file with these secrets, replacing an existing one. `cost` sets the key derivation's parameters. Rejects with
   * SECRET_STORE_FAILED.
   */
  static async create(
    path: string,
    passphrase: string,
    secrets: Iterable<readonly [string, string]>,
    cost: typeof COST = COST,
  ): Promise<SecretsFile> {
    const salt = randomBytes(SALT_BYTES).toString('base64')
    const kdf: Kdf = { name: 'scrypt', ...cost, salt }
    const file = new SecretsFile(path, kdf, await keyOf(passphrase, kdf), secrets)
    file.#write(file.#secrets)
    return file
  }

  readonly get = (name: string): Promise<string | null> =>
    Promise.resolve(this.#secrets.get(name) ?? null)

  readonly set = (name: string, value: string): Promise<void> =>
    this.#change((secrets) => secrets.set(name, value))

  readonly delete = async (name: string): Promise<boolean> => {
    if (!this.#secrets.has(name)) return false
    await this.#change((secrets) => secrets.delete(name))
    return true
  }

  readonly keys = (): Promise<string[]> => Promise.resolve([...this.#secrets.keys()])

  get entries(): readonly (readonly [string, string])[] {
    return [...this.#secrets]
  }

  #change(change: (secrets: Map<string, string>) => void): Promise<void> {
    return this.#inTurn(() => {
      const next = new Map(this.#secrets)
      change(next)
      this.#write(next)
      this.#secrets = next
    })
  }

  #write(secrets: ReadonlyMap<string, string>): void {
    const nonce = randomBytes(NONCE_BYTES)
    const header = headerOf(this.kdf, nonce.toString('base64'))
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(
      Buffer.from(JSON.stringify(header)),
    )
    const text = JSON.stringify(Object.fromEntries(secrets))
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    const document: SecretsDocument = {
      ...header,
      tag: cipher.getAuthTag().toString('base64'),
      data: data.toString('base64'),
    }
    try {
      writeOwnText(this.path, JSON.stringify(document), true)
    } catch (error) {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException
      // The cause is omitted: no content may reach a log.
      throw new AppError('SECRET_STORE_FAILED', `${this.path} can’t be written (${code}).`, {
        hint: 'Check its folder and the free disk space, then try again.',
      })
    }
  }
}

/** The header that the tag authenticates along with the content. */
function headerOf(
  kdf: Kdf,
  nonce: string,
): Pick<SecretsDocument, 'version' | 'kdf' | 'cipher' | 'nonce'> {
  return { version: 1, kdf, cipher: CIPHER, nonce }
}

function readDocument(path: string): SecretsDocument {
  const found = readOwnText(path, MAX_BYTES)
  const reason =
    found.kind === 'lost' || found.kind === 'unreadable' ? found.reason : 'It has another form.'
  // A parser's message would quote the file.
  const value = found.kind === 'there' ? jsonIn(found.value) : undefined
  const { data } = SecretsDocument.safeParse(value)
  if (data) return data
  throw new AppError('SECRET_STORE_FAILED', `${path} can’t be used. ${reason}`, {
    hint: 'Restore the file from a backup, or delete it and enter your secrets again.',
  })
}

function opened(document: SecretsDocument, key: Buffer): Record<string, string> | undefined {
  const { kdf, nonce, tag, data } = document
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64'), {
      authTagLength: 16,
    })
      .setAAD(Buffer.from(JSON.stringify(headerOf(kdf, nonce))))
      .setAuthTag(Buffer.from(tag, 'base64'))
    const text = Buffer.concat([decipher.update(data, 'base64'), decipher.final()])
    return Secrets.parse(JSON.parse(text.toString('utf8')))
  } catch {
    return undefined // wrong key, or a changed file
  }
}

function keyOf(passphrase: string, { n, r, p, salt }: Kdf): Promise<Buffer> {
  const options: ScryptOptions = { N: n, r, p, maxmem: MAX_MEMORY + 1024 * 1024 }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  // Normalize, so that every Unicode spelling of a passphrase is the same.
  const text = passphrase.normalize('NFKC')
  scrypt(text, Buffer.from(salt, 'base64'), KEY_BYTES, options, (error, key) =>
    error ? reject(error) : resolve(key),
  )
  return promise
}
