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
const MOST_BYTES = 5 * 1024 * 1024
const CERTIFICATE = /-----BEGIN (X509 )?CERTIFICATE-----[^-]+-----END \1?CERTIFICATE-----/gu
/** How a certificate begins that is not written as text (X.690, a long sequence). */
const DER_START = 0x30

/** What a file of certificates holds; with `problem`, a sentence, nothing of it is to be trusted. */
type CertificateFile = {
  readonly path: string
  /** As PEM, each written alike. */
  readonly certificates: readonly string[]
  readonly problem?: string
}

/** Reads a PEM file that the user named. Never rejects; where a part of it cannot be read, the whole file counts as none. */
export async function readCertificateFile(path: string): Promise<CertificateFile> {
  const problem = (sentence: string): CertificateFile => ({
    path,
    certificates: [],
    problem: sentence,
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

/** The bytes, or why they are not read. */
async function readBytes(path: string): Promise<Buffer | string> {
  const file = await open(path)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) return `${path} isn’t a file.`
    return facts.size > MOST_BYTES
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

/** What the choice is made of, and what the system has beside it. */
export type NetworkChoiceParts = {
  readonly store: ProfileDocument
  readonly secrets: SecretKeeper
  /** Where the certificates lie that children are given. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  /** Patchbay's own. */
  readonly environment: Environment
  readonly resolveProxy?: ResolveProxy | undefined
}

type Read = {
  readonly rule: NetworkRule
  readonly password: KeptPassword['state']
  readonly files: readonly CertificateFile[]
}

/**
 * How the user wants the network to be reached: the settings, with the password from the secret store and the
 * certificates from their files. It is read once, and again when the settings change, when a screen looks, and while the
 * secret store does not answer.
 */
export class NetworkChoice implements Disposable {
  readonly #changed = new Emitter<undefined>()
  readonly #following: Disposable
  #key: string
  #reading: Promise<Read> | undefined
  #last: Read | undefined

  /** Requests and children go another way from now on. */
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

  /** What holds now; the same object as long as it stays the same. Never rejects. */
  readonly rule = async (): Promise<NetworkRule> => (await this.#read()).rule

  /** What screens show; files are looked at again. Never rejects. */
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

  /** Rejects as `keepProxyPassword` does. */
  async setPassword(password: string | null): Promise<void> {
    await keepProxyPassword(this.parts.store, this.parts.secrets, password)
    this.#forget()
  }

  /** The variables of a child: what fetches packages is always given the proxy's password. Rejects with SETTINGS_UNWRITABLE. */
  async variablesFor(reader: 'server' | 'runner'): Promise<NetworkVariables> {
    const { store, platform } = this.parts
    const rule = await this.rule()
    const isGiven = reader === 'runner' || store.settings.proxyPasswordForServers
    const proxies = await proxyVariables(isGiven ? rule : withoutPassword(rule), this.parts)
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

  /** What was read for settings of before counts no more. */
  async #read(): Promise<Read> {
    for (;;) {
      const reading = (this.#reading ??= this.#readNow())
      const read = await reading
      if (reading !== this.#reading) continue
      // The secret store may answer the next time.
      if (read.password === 'unread') this.#reading = undefined
      const isSame = JSON.stringify(read.rule) === JSON.stringify(this.#last?.rule)
      this.#last = { ...read, rule: isSame && this.#last ? this.#last.rule : read.rule }
      return this.#last
    }
  }

  async #readNow(): Promise<Read> {
    const { settings } = this.parts.store
    const files = await Promise.all(settings.certificateFiles.map(readCertificateFile))
    const kept = await readProxyPassword(this.parts.secrets, settings)
    const rule: NetworkRule = {
      proxy:
        settings.proxyMode === 'manual'
          ? { kind: 'named', address: addressOf(settings, kept.password) }
          : { kind: settings.proxyMode },
      withoutProxy: settings.withoutProxy,
      certificates: [...new Set(files.flatMap(({ certificates }) => certificates))],
    }
    return { rule, password: kept.state, files }
  }

  /** A file with all that is trusted, for programs that take one in the place of what the system trusts; undefined where nothing was added. */
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
      const said = errorMessage(cause)
      throw new AppError(
        'SETTINGS_UNWRITABLE',
        `The certificates couldn’t be written to ${file} (${said}).`,
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

/** The proxy with the name and password that it asks for, each written as an address takes it. */
function addressOf({ proxyUrl, proxyUser }: Settings, password: string | undefined): string {
  if (proxyUrl === '' || password === undefined) return proxyUrl
  const { protocol, host } = new URL(proxyUrl)
  const [name, word] = [proxyUser, password].map((text) => encodeURIComponent(text.toWellFormed()))
  return `${protocol}//${name}:${word}@${host}`
}

/** A file that is not there, or not to be read, adds nothing. */
function readText(path = ''): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? ''
}

type Proxy = Pick<Settings, 'proxyUrl' | 'proxyUser' | 'proxyPasswordId'>

/** The password where it is to be used, and how it is kept. */
type KeptPassword = {
  readonly state: NetworkView['password']
  readonly password?: string
}

/** Reads the password of a proxy: only for the address and the user name that it was given for. Never rejects. */
async function readProxyPassword(secrets: SecretBackend, proxy: Proxy): Promise<KeptPassword> {
  if (proxy.proxyPasswordId === '') return { state: 'none' }
  try {
    const kept = await secrets.get(secretName(proxy.proxyPasswordId))
    if (kept === null) return { state: 'lost' }
    const bond = bondOf(proxy)
    return kept.startsWith(bond)
      ? { state: 'saved', password: kept.slice(bond.length) }
      : { state: 'other' }
  } catch {
    return { state: 'unread' } // the keychain is locked or does not answer
  }
}

/** Keeps the password of the proxy that the settings name, or forgets it (null). Rejects with INVALID_REQUEST, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
async function keepProxyPassword(
  store: ProfileDocument,
  secrets: SecretKeeper,
  password: string | null,
): Promise<void> {
  await store.mutex(async () => {
    const proxy = store.settings
    if (password === null && proxy.proxyPasswordId === '') return
    if (password !== null) checkProxy(proxy)
    const id = proxy.proxyPasswordId === '' ? randomUUID() : proxy.proxyPasswordId
    const kept = password === null ? null : `${bondOf(proxy)}${password}`
    await changeSecrets(store, secrets, new Map([[secretName(id), kept]]), () => {
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

/** What stands before the password in the secret store: another proxy, or another name, does not get it. */
function bondOf({ proxyUrl, proxyUser }: Proxy): string {
  return `${JSON.stringify([proxyUrl, proxyUser])} `
}

/**
 * Notes each change of the network at the servers that run as children: they keep the variables that they were started
 * with. A remote server goes the new way immediately.
 */
export function noteNetworkChanges(
  choice: Pick<NetworkChoice, 'onDidChange'>,
  installations: () => readonly Pick<Installation, 'installationId' | 'offer'>[],
  changes: UnappliedChanges,
): Disposable {
  return choice.onDidChange(() => {
    for (const { installationId, offer } of installations())
      if (offer.kind === 'package') changes.note(installationId, NETWORK_CHANGED)
  })
}
