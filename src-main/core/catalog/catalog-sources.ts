import { randomUUID } from 'node:crypto'

import { AppError } from '../../../src-shared/domain/app-error'
import type { RegistrySource } from '../../../src-shared/domain/catalog/catalog-sync'
import { OFFICIAL_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { changeSecrets, type SecretChanges } from '../installation/secrets/change-secrets'
import type { ProfileDocument } from '../installation/store/profile-document'
import { isLoopback } from '../network/is-loopback'
import type { SecretKeeper } from '../ports'

type Followed = Settings['registries'][number]

/** A change to a registry; a token of null is removed. */
export type SourceChange = {
  readonly enabled?: boolean | undefined
  readonly token?: string | null | undefined
}

/** The registries of the catalog: their addresses are in the settings, their tokens in the secret store. */
export class CatalogSources {
  constructor(
    private readonly store: ProfileDocument,
    private readonly secrets: SecretKeeper,
  ) {}

  /** The registry of the settings comes first. */
  get list(): RegistrySource[] {
    const { registryUrl, registryEnabled, registries } = this.store.settings
    const official = { sourceId: OFFICIAL_SOURCE, baseUrl: registryUrl, enabled: registryEnabled }
    const others = registries.map(({ sourceId, baseUrl, enabled }) => ({
      ...{ sourceId, baseUrl, enabled },
    }))
    return [official, ...others]
  }

  get ids(): string[] {
    return this.list.map(({ sourceId }) => sourceId)
  }

  /** Identifies the current list. */
  get text(): string {
    return JSON.stringify(this.list)
  }

  /** Ids of the sources that a list's `text` doesn't contain unchanged. */
  otherThan(text: string): string[] {
    const others = this.list.filter((source) => !text.includes(JSON.stringify(source)))
    return others.map(({ sourceId }) => sourceId)
  }

  hasToken(sourceId: string): boolean {
    return this.#find(sourceId)?.hasToken ?? false
  }

  /** Undefined if the registry has no token, or its address changed since the token was stored. Rejects with SECRET_STORE_FAILED. */
  async tokenOf(sourceId: string): Promise<string | undefined> {
    const source = this.#find(sourceId)
    if (!source?.hasToken || !isProtected(new URL(source.baseUrl))) return undefined
    const scope = boundToken(source.baseUrl, '')
    const stored = await this.secrets.get(tokenName(sourceId))
    return stored?.startsWith(scope) ? stored.slice(scope.length) : undefined
  }

  /** Returns the new source's id. Rejects with INVALID_REQUEST, NAME_TAKEN, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  async add(address: string, token: string | undefined): Promise<string> {
    const baseUrl = address.replace(/\/+$/, '')
    checkAddress(baseUrl, token)
    return this.store.mutex(async () => {
      const isKnown = this.list.some((one) => one.baseUrl.replace(/\/+$/, '') === baseUrl)
      if (isKnown)
        throw new AppError('NAME_TAKEN', `${baseUrl} is already in the list of registries.`, {
          hint: 'Edit that registry, or enter another address.',
        })
      const sourceId = randomUUID()
      const source = { sourceId, baseUrl, enabled: true, hasToken: token !== undefined }
      const changes = tokenChange(source, token)
      await this.#change(changes, ({ registries }) => ({ registries: [...registries, source] }))
      return sourceId
    })
  }

  /** Rejects with NOT_FOUND, INVALID_REQUEST, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  async change(sourceId: string, { enabled, token }: SourceChange): Promise<void> {
    await this.store.mutex(async () => {
      if (sourceId === OFFICIAL_SOURCE) {
        // Its address is a setting, so a token would go wherever that points next.
        if (token !== undefined)
          throw new AppError('INVALID_REQUEST', 'The official registry doesn’t take a token.', {
            hint: 'Turn it off and add your own as another registry.',
          })
        await this.#change(new Map(), () =>
          enabled === undefined ? {} : { registryEnabled: enabled },
        )
        return
      }
      const source = this.#read(sourceId)
      if (token !== undefined) checkAddress(source.baseUrl, token ?? undefined)
      const next = {
        ...source,
        enabled: enabled ?? source.enabled,
        hasToken: token === undefined ? source.hasToken : token !== null,
      }
      const changes = tokenChange(source, token)
      await this.#change(changes, ({ registries }) => ({
        registries: registries.map((one) => (one.sourceId === sourceId ? next : one)),
      }))
    })
  }

  /** Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  async remove(sourceId: string): Promise<void> {
    await this.store.mutex(async () => {
      this.#read(sourceId)
      await this.#change(new Map([[tokenName(sourceId), null]]), ({ registries }) => ({
        registries: registries.filter((one) => one.sourceId !== sourceId),
      }))
    })
  }

  /** Settings are read after waiting for the keychain, because they may have changed meanwhile. */
  async #change(
    secrets: SecretChanges,
    change: (settings: Settings) => Partial<Settings>,
  ): Promise<void> {
    await changeSecrets(this.store, this.secrets, secrets, () => {
      this.store.saveSettings(change(this.store.settings))
    })
  }

  #find(sourceId: string): Followed | undefined {
    return this.store.settings.registries.find((one) => one.sourceId === sourceId)
  }

  #read(sourceId: string): Followed {
    const found = this.#find(sourceId)
    if (found) return found
    throw new AppError('NOT_FOUND', 'This registry is no longer in the list.', {
      hint: 'Another window may have removed it.',
    })
  }
}

/** The token's key in the secret store. */
function tokenName(sourceId: string): string {
  return `registry/${sourceId}`
}

/** A stored token starts with the origin it belongs to. */
function boundToken(baseUrl: string, token: string): string {
  return `${new URL(baseUrl).origin} ${token}`
}

/** Stores a token, deletes it if null, or does nothing if undefined. */
function tokenChange(
  { sourceId, baseUrl }: Pick<Followed, 'sourceId' | 'baseUrl'>,
  token: string | null | undefined,
): SecretChanges {
  if (token === undefined) return new Map()
  return new Map([[tokenName(sourceId), token === null ? null : boundToken(baseUrl, token)]])
}

/** Whether nobody on the way can read the request. */
function isProtected(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url)
}

/** A token must not be readable on its way, and an address must not contain a password, because the settings file would. */
function checkAddress(baseUrl: string, token: string | undefined): void {
  const url = new URL(baseUrl)
  const { username, password } = url
  if (username !== '' || password !== '') {
    throw new AppError('INVALID_REQUEST', 'The address contains a user name or password.', {
      hint: 'Enter the address without it, and the token in its own field.',
    })
  }
  if (token === undefined || isProtected(url)) return
  throw new AppError('INVALID_REQUEST', 'Tokens are sent over https only.', {
    hint: 'Enter an address that starts with https://.',
  })
}
