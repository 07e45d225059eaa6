import { randomUUID } from 'node:crypto'

import { AppError } from '../../../src-shared/domain/app-error'
import type { NetworkView } from '../../../src-shared/domain/state/network-view'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { changeSecrets } from '../installation/secrets/change-secrets'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { SecretBackend } from '../ports'

type Proxy = Pick<Settings, 'proxyUrl' | 'proxyUser' | 'proxyPasswordId'>

/** The password where it is to be used, and how it is kept. */
export type KeptPassword = {
  readonly state: NetworkView['password']
  readonly password?: string
}

/** Reads the password of a proxy: only for the address and the user name that it was given for. Never rejects. */
export async function readProxyPassword(
  secrets: SecretBackend,
  proxy: Proxy,
): Promise<KeptPassword> {
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
export async function keepProxyPassword(
  store: ProfileDocument,
  secrets: SecretBackend,
  password: string | null,
): Promise<void> {
  await store.lane(async () => {
    const proxy = store.settings
    if (password === null && proxy.proxyPasswordId === '') return
    if (password !== null) checkProxy(proxy)
    const id = proxy.proxyPasswordId === '' ? randomUUID() : proxy.proxyPasswordId
    const kept = password === null ? null : `${bondOf(proxy)}${password}`
    await changeSecrets(secrets, new Map([[secretName(id), kept]]), () => {
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
