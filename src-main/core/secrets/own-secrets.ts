import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { StoredSecret } from '../../../src-shared/domain/installation/stored-secret'
import { secretLabels } from './secret-directory'

/** One secret of this profile; a long one takes several keychain entries. */
export type OwnSecret = {
  readonly label: string
  /** Whether this may be the only copy of a value from an app's file, or the key to backups of such files. */
  readonly isOwed: boolean
  /** Keys of the entries; the first identifies the secret. */
  readonly keys: readonly string[]
}

/** Owners of secrets that the settings file names. */
export type SecretHolders = {
  readonly installations: readonly Installation[]
  readonly stored: readonly StoredSecret[]
  /** Addresses of registries by source id. */
  readonly registries: ReadonlyMap<string, string>
}

/** The data that assigns secrets to their owners. */
export type SecretOwners = SecretHolders & {
  /** Names of agents by id. */
  readonly agents: ReadonlyMap<string, string>
  /** Texts of the profile's own documents: even an unparsable one names its secrets. */
  readonly texts: {
    readonly settings: readonly string[]
    readonly agents: readonly string[]
    readonly hosts: readonly string[]
  }
}

/** Returns the secrets of a keychain that belong to this profile, and the keys of the others: profiles share one keychain. */
export function ownSecrets(
  keys: readonly string[],
  owners: SecretOwners,
): { readonly own: OwnSecret[]; readonly others: string[] } {
  const own = new Map<string, OwnSecret>()
  const others: string[] = []
  for (const key of keys.toSorted()) {
    const { kind, id } = partsOf(key)
    // A secret that waits for deletion is named by its key only.
    if (!kind.isOwn(id, owners.texts) && !isNamed(key, owners.texts.settings)) others.push(key)
    else {
      // The parts of one sign-in are one secret.
      const head = key.startsWith('sign-in/') ? `sign-in/${id}` : key
      const { isOwed = false } = kind
      const label = labelOf(key, owners)
      own.set(head, { label, isOwed, keys: [...(own.get(head)?.keys ?? []), key] })
    }
  }
  return { own: [...own.values()], others }
}

/** Label of a secret whose key the settings file names. */
export function secretLabel(key: string, holders: SecretHolders): string {
  return labelOf(key, { ...holders, agents: new Map() })
}

function labelOf(key: string, owners: Omit<SecretOwners, 'texts'>): string {
  const { kind, id } = partsOf(key)
  return kind.label(id, owners, key.slice(key.indexOf('/') + 1))
}

function partsOf(key: string): { readonly kind: SecretKind; readonly id: string } {
  const [first = '', second = ''] = key.split('/')
  const kind = Object.hasOwn(KINDS, first) ? KINDS[first] : undefined
  return kind ? { kind, id: second } : { kind: OF_SERVER, id: first }
}

/** A kind of keychain secret; `id` is its owner, `rest` the key after its first part. */
type SecretKind = {
  readonly isOwn: (id: string, texts: SecretOwners['texts']) => boolean
  readonly isOwed?: true
  readonly label: (id: string, owners: Omit<SecretOwners, 'texts'>, rest: string) => string
}

const inSettings: SecretKind['isOwn'] = (id, { settings }) => isNamed(id, settings)

const OF_SERVER: SecretKind = {
  isOwn: inSettings,
  isOwed: true,
  label: (id, owners, fieldKey) => {
    const server = serverOf(id, owners)
    const [kept, , ownKey] = fieldKey.split('/')
    // An earlier version has its own fields.
    if (kept === 'kept' && ownKey !== undefined)
      return `${ownKey} of an earlier version of ${server?.name ?? id}`
    return server ? `${secretLabels(server)(fieldKey)} of ${server.name}` : `${fieldKey} of ${id}`
  },
}

/** Kinds by the first part of their keys; all other keys belong to servers. */
const KINDS: Readonly<Record<string, SecretKind>> = {
  // An interrupted check of any profile left it.
  probe: { isOwn: () => true, label: () => 'Keychain check' },
  'host-backups': {
    isOwn: (id, { hosts }) => id === '' || isNamed(id, hosts),
    isOwed: true,
    label: () => 'Key for app configuration backups',
  },
  shared: {
    isOwn: inSettings,
    isOwed: true,
    label: (id, { stored }) =>
      `Shared secret ${stored.find(({ secretId }) => secretId === id)?.name ?? id}`,
  },
  'sign-in': {
    isOwn: inSettings,
    label: (id, owners) => `Sign-in of ${serverOf(id, owners)?.name ?? id}`,
  },
  registry: {
    isOwn: inSettings,
    label: (id, { registries }) => `Token of the registry ${registries.get(id) ?? id}`,
  },
  proxy: { isOwn: inSettings, label: () => 'Proxy password' },
  agent: {
    isOwn: (id, texts) => isNamed(id, texts.agents),
    label: (id, { agents }) => `Key of the agent ${agents.get(id) ?? id}`,
  },
}

function isNamed(id: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.includes(JSON.stringify(id)))
}

function serverOf(id: string, { installations }: SecretHolders): Installation | undefined {
  return installations.find(({ installationId }) => installationId === id)
}
