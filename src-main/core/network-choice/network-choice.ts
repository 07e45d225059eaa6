import { randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { getCACertificates } from 'node:tls'

import { AppError } from '../../../src-shared/domain/app-error'
import { attempt } from '../../../src-shared/domain/attempt'
import { errorMessage } from '../../../src-shared/domain/error-message'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { NETWORK_CHANGED, type NetworkView } from '../../../src-shared/domain/state/network-view'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { changeSecrets } from '../installation/secrets/change-secrets'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { UnappliedChanges } from '../installation/store/store-change'
import { Emitter } from '../lifecycle/emitter'
import {
  type Environment,
  environmentProxies,
  type NetworkRule,
} from '../network/environment-proxies'
import { readSystemCertificates, type ResolveProxy } from '../network/system-network'
import type { SecretBackend, SecretKeeper } from '../ports'
import { writeOwnText } from '../storage/own-file'
import {
  certificateVariables,
  type NetworkVariables,
  proxyVariables,
  withoutPassword,
} from './child-network'

/** All authorities of a system take less than 1 MB. */
const MAX_BYTES = 5 * 1024 * 1024
const CERTIFICATE = /-----BEGIN (X509 )?CERTIFICATE-----[^-]+-----END \1?CERTIFICATE-----/gu
/** First byte of a certificate in DER (X.690). */
const DER_START = 0x30

/** The content of a certificate file; with a `problem` sentence, nothing of it is trusted. */
type CertificateFile = {
  readonly path: string
  /** As normalized PEM. */
  readonly certificates: readonly string[]
  readonly problem?: string
}

/** Reads a PEM file that the user named. Never rejects; a partly unreadable file counts as empty. */
export async function readCertificateFile(path: string): Promise<CertificateFile> {
  const problem = (message: string): CertificateFile => ({
    path,
    certificates: [],
    problem: message,
  })
  if (!isAbsolute(path)) return problem(`${path} isn’t an absolute path.`)
  try {
    const bytes = await readBytes(path)
    if (typeof bytes === 'string') return problem(bytes)
    const found = [...bytes.toString('latin1').matchAll(CERTIFICATE)]
    if (found.length === 0) return problem(noneIn(path, bytes))
    const certificates = found.map(([text]) => new X509Certificate(text).toString())
    return { path, certificates }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return problem(`File not found: ${path}.`)
    if (/^E[A-Z]+$/u.test(code)) return problem(`${path} can’t be read (${code}).`)
    return problem(`${path} contains a damaged certificate.`)
  }
}

/** The bytes, or why they can't be read. */
async function readBytes(path: string): Promise<Buffer | string> {
  const file = await open(path)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) return `${path} isn’t a file.`
    return facts.size > MAX_BYTES
      ? `${path} is too large for a certificate file.`
      : await file.readFile()
  } finally {
    await file.close()
  }
}

function noneIn(path: string, bytes: Buffer): string {
  return bytes[0] === DER_START
    ? `${path} contains a binary (DER) certificate. Convert it to PEM (Base64).`
    : `${path} contains no certificate. PEM files have lines that start with -----BEGIN CERTIFICATE-----.`
}

/** Dependencies of the network settings. */
export type NetworkChoiceParts = {
  readonly store: ProfileDocument
  readonly secrets: SecretKeeper
  /** Folder of the certificates for children. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  /** Patchbay's own environment. */
  readonly environment: Environment
  readonly resolveProxy?: ResolveProxy | undefined
}

type Read = {
  readonly rule: NetworkRule
  readonly password: StoredPassword['state']
  readonly files: readonly CertificateFile[]
}

/**
 * The network settings with the password from the secret store and the certificates from their files. Read once, and again when settings
 * change, for a screen, and while the secret store doesn't answer.
 */
export class NetworkChoice implements Disposable {
  readonly #changed = new Emitter<undefined>()
  readonly #following: Disposable
  #key: string
  #reading: Promise<Read> | undefined
  #last: Read | undefined

  /** Fires when requests and children take another route. */
  readonly onDidChange = this.#changed.event

  constructor(private readonly parts: NetworkChoiceParts) {
    this.#key = keyOf(parts.store.settings)
    this.#following = parts.store.onDidChange(({ hasSettings }) => {
      const key = keyOf(parts.store.settings)
      if (!hasSettings || key === this.#key) return
      this.#key = key
      this.#forget()
    })
  }

  /** The current rule; the same object until it changes. Never rejects. */
  readonly rule = async (): Promise<NetworkRule> => (await this.#read()).rule

  /** The state for screens, with files read again. Never rejects. */
  async view(): Promise<NetworkView> {
    const before = this.#last
    this.#reading = undefined
    const { rule, password, files } = await this.#read()
    if (before && before.rule !== rule) this.#changed.emit(undefined)
    const certificates = files.map(({ path, certificates: { length: count }, problem }) => {
      return { path, count, ...(problem !== undefined && { problem }) }
    })
    return { system: this.#system, password, certificates }
  }

  /** Rejects as `storeProxyPassword` does. */
  async setPassword(password: string | null): Promise<void> {
    await storeProxyPassword(this.parts.store, this.parts.secrets, password)
    this.#forget()
  }

  /** A child's variables; package downloads always get the proxy's password. Rejects with SETTINGS_UNWRITABLE. */
  async variablesFor(reader: 'server' | 'runner'): Promise<NetworkVariables> {
    const { store, platform } = this.parts
    const rule = await this.rule()
    const includesPassword = reader === 'runner' || store.settings.proxyPasswordForServers
    const proxies = await proxyVariables(
      includesPassword ? rule : withoutPassword(rule),
      this.parts,
    )
    return { ...proxies, ...certificateVariables(await this.#fileOf(rule), platform) }
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]()
    this.#changed[Symbol.dispose]()
  }

  get #system(): NetworkView['system'] {
    const { environment, resolveProxy } = this.parts
    if (environmentProxies(environment)) return 'environment'
    return resolveProxy ? 'desktop' : 'none'
  }

  #forget(): void {
    this.#reading = undefined
    this.#changed.emit(undefined)
  }

  /** Results for earlier settings are dropped. */
  async #read(): Promise<Read> {
    for (;;) {
      const reading = (this.#reading ??= this.#readNow())
      const read = await reading
      if (reading !== this.#reading) continue
      // The secret store may answer next time.
      if (read.password === 'unread') this.#reading = undefined
      const isSame = JSON.stringify(read.rule) === JSON.stringify(this.#last?.rule)
      this.#last = { ...read, rule: isSame && this.#last ? this.#last.rule : read.rule }
      return this.#last
    }
  }

  async #readNow(): Promise<Read> {
    const { settings } = this.parts.store
    const files = await Promise.all(settings.certificateFiles.map(readCertificateFile))
    const stored = await readProxyPassword(this.parts.secrets, settings)
    const rule: NetworkRule = {
      proxy:
        settings.proxyMode === 'manual'
          ? { kind: 'named', address: addressOf(settings, stored.password) }
          : { kind: settings.proxyMode },
      withoutProxy: settings.withoutProxy,
      certificates: [...new Set(files.flatMap(({ certificates }) => certificates))],
    }
    return { rule, password: stored.state, files }
  }

  /** Writes all trusted certificates into a file for programs whose list it replaces; undefined if nothing was added. */
  async #fileOf({ certificates }: NetworkRule): Promise<string | undefined> {
    if (certificates.length === 0) return undefined
    const { folder, environment } = this.parts
    const known = [
      ...getCACertificates('bundled'),
      ...(await readSystemCertificates()),
      ...getCACertificates('extra'),
    ]
    const inherited = readText(environment.SSL_CERT_FILE)
    const all = [...new Set([...known, ...certificates])].map((one) => one.trim())
    const text = `${[inherited.trim(), ...all].filter(Boolean).join('\n')}\n`
    const file = join(folder, 'trusted.pem')
    if (readText(file) === text) return file
    try {
      writeOwnText(file, text)
    } catch (cause) {
      const reason = errorMessage(cause)
      throw new AppError(
        'SETTINGS_UNWRITABLE',
        `The certificates couldn’t be written to ${file} (${reason}).`,
        {
          cause,
          hint: 'Check that the disk has space and that you can write to the profile folder.',
        },
      )
    }
    return file
  }
}

function keyOf(settings: Settings): string {
  const { proxyMode, proxyUrl, proxyUser, proxyPasswordId, withoutProxy } = settings
  const { proxyPasswordForServers, certificateFiles } = settings
  return JSON.stringify([
    ...[proxyMode, proxyUrl, proxyUser, proxyPasswordId, withoutProxy],
    ...[proxyPasswordForServers, certificateFiles],
  ])
}

/** The proxy's address with user name and password, percent-encoded. */
function addressOf({ proxyUrl, proxyUser }: Settings, password: string | undefined): string {
  if (proxyUrl === '' || password === undefined) return proxyUrl
  const { protocol, host } = new URL(proxyUrl)
  const [name, word] = [proxyUser, password].map((text) => encodeURIComponent(text.toWellFormed()))
  return `${protocol}//${name}:${word}@${host}`
}

/** A missing or unreadable file adds nothing. */
function readText(path = ''): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? ''
}

type Proxy = Pick<Settings, 'proxyUrl' | 'proxyUser' | 'proxyPasswordId'>

/** The usable password, and its state in the keychain. */
type StoredPassword = {
  readonly state: NetworkView['password']
  readonly password?: string
}

/** Reads a proxy's password, which is bound to its address and user name. Never rejects. */
async function readProxyPassword(secrets: SecretBackend, proxy: Proxy): Promise<StoredPassword> {
  if (proxy.proxyPasswordId === '') return { state: 'none' }
  try {
    const stored = await secrets.get(secretName(proxy.proxyPasswordId))
    if (stored === null) return { state: 'lost' }
    const scope = credentialScope(proxy)
    return stored.startsWith(scope)
      ? { state: 'saved', password: stored.slice(scope.length) }
      : { state: 'other' }
  } catch {
    return { state: 'unread' } // the keychain is locked or doesn't answer
  }
}

/**
 * Stores the password of the proxy in the settings, or deletes it (null). Rejects with INVALID_REQUEST, SECRET_STORE_FAILED or
 * SETTINGS_UNWRITABLE.
 */
async function storeProxyPassword(
  store: ProfileDocument,
  secrets: SecretKeeper,
  password: string | null,
): Promise<void> {
  await store.mutex(async () => {
    const proxy = store.settings
    if (password === null && proxy.proxyPasswordId === '') return
    if (password !== null) checkProxy(proxy)
    const id = proxy.proxyPasswordId === '' ? randomUUID() : proxy.proxyPasswordId
    const stored = password === null ? null : `${credentialScope(proxy)}${password}`
    await changeSecrets(store, secrets, new Map([[secretName(id), stored]]), () => {
      const proxyPasswordId = password === null ? '' : id
      store.saveSettings({ proxyPasswordId })
    })
  })
}

function checkProxy({ proxyUrl, proxyUser }: Proxy): void {
  if (proxyUrl !== '' && proxyUser !== '') return
  throw new AppError('INVALID_REQUEST', 'The proxy password has no proxy or user name.', {
    hint: 'Enter the proxy’s address and the user name first. The password is sent only to that proxy.',
  })
}

function secretName(id: string): string {
  return `proxy/${id}`
}

/** Prefix of the password in the secret store, which binds it to proxy and user name. */
function credentialScope({ proxyUrl, proxyUser }: Proxy): string {
  return `${JSON.stringify([proxyUrl, proxyUser])} `
}

/** Marks running children after a network change, because they keep their variables. Remote servers use the new route immediately. */
export function recordNetworkChanges(
  choice: Pick<NetworkChoice, 'onDidChange'>,
  installations: () => readonly Pick<Installation, 'installationId' | 'offer'>[],
  changes: UnappliedChanges,
): Disposable {
  return choice.onDidChange(() => {
    for (const { installationId, offer } of installations())
      if (offer.kind === 'package') changes.note(installationId, NETWORK_CHANGED)
  })
}
