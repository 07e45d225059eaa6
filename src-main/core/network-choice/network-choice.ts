import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'

import { AppError } from '../../../src-shared/domain/app-error'
import type { NetworkView } from '../../../src-shared/domain/state/network-view'
import type { Settings } from '../../../src-shared/domain/state/settings'
import type { ProfileDocument } from '../installation/store/profile-document'
import { Emitter } from '../lifecycle/emitter'
import { type Environment, environmentProxies } from '../network/environment-proxies'
import type { NetworkRule } from '../network/network-rule'
import { readSystemCertificates } from '../network/system-certificates'
import type { ResolveProxy } from '../network/system-network'
import type { SecretBackend } from '../ports'
import { writeOwnText } from '../storage/own-file'
import { type CertificateFile, readCertificateFile } from './certificate-files'
import {
  certificateVariables,
  type NetworkVariables,
  proxyVariables,
  withoutPassword,
} from './child-network'
import { keepProxyPassword, type KeptPassword, readProxyPassword } from './proxy-password'

/** What the choice is made of, and what the system has beside it. */
export type NetworkChoiceParts = {
  readonly store: ProfileDocument
  readonly secrets: SecretBackend
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
 * How the person wants the network to be reached: the settings, with the password from the secret store and the
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
    const certificates = files.map(({ path, certificates: { length: count }, trouble }) => {
      return { path, count, ...(trouble !== undefined && { trouble }) }
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
      const said = cause instanceof Error ? cause.message : String(cause)
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

function readText(path: string | undefined): string {
  try {
    return path === undefined || path === '' ? '' : readFileSync(path, 'utf8')
  } catch {
    return '' // not there, or not to be read: it adds nothing
  }
}
