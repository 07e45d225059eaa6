import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { StoredSecret } from '../../../src-shared/domain/installation/stored-secret'
import { secretLabels } from '../secrets/secret-directory'

/** One secret of this profile; long ones take several entries of the keychain. */
export type OwnSecret = {
  readonly label: string
  /** It may be the only copy of what stood in an app's file, or the key of the copies of such files. */
  readonly isOwed: boolean
  /** The first names it. */
  readonly keys: readonly string[]
}

/** What tells whose secrets are whose. */
export type SecretOwners = {
  readonly installations: readonly Installation[]
  readonly stored: readonly StoredSecret[]
  /** Addresses of registries by the ids of their sources. */
  readonly registries: ReadonlyMap<string, string>
  /** Names of agents by id. */
  readonly agents: ReadonlyMap<string, string>
  /** The texts of the profile's own documents; what could not be parsed names its secrets too. */
  readonly texts: {
    readonly settings: readonly string[]
    readonly agents: readonly string[]
    readonly hosts: readonly string[]
  }
}

/** The secrets of a keychain that belong to this profile, and the keys of those that do not: profiles share one keychain. */
export function ownSecrets(
  keys: readonly string[],
  owners: SecretOwners,
): { readonly own: OwnSecret[]; readonly others: string[] } {
  const byHead = new Map<string, string[]>()
  const others: string[] = []
  for (const key of keys.toSorted()) {
    const name = nameOf(key)
    if (!isOwn(name, owners)) others.push(key)
    else byHead.set(headOf(name, key), [...(byHead.get(headOf(name, key)) ?? []), key])
  }
  const own = [...byHead.values()].map((held) => ({
    label: labelOf(nameOf(held[0] ?? ''), owners),
    isOwed: OWED.has(nameOf(held[0] ?? '').kind),
    keys: held,
  }))
  return { own, others }
}

/** Which secret a key of the keychain is of. */
type SecretName =
  | { readonly kind: 'shared' | 'signIn' | 'registry' | 'agent'; readonly id: string }
  | { readonly kind: 'proxy'; readonly id: string }
  | { readonly kind: 'probe' }
  | { readonly kind: 'backups'; readonly id: string | undefined }
  | { readonly kind: 'server'; readonly id: string; readonly fieldKey: string }

const OWED: ReadonlySet<SecretName['kind']> = new Set(['server', 'shared', 'backups'])

const KINDS = {
  shared: 'shared',
  'sign-in': 'signIn',
  registry: 'registry',
  proxy: 'proxy',
  agent: 'agent',
} as const

function nameOf(key: string): SecretName {
  const [first = '', id = ''] = key.split('/')
  if (first === 'probe') return { kind: 'probe' }
  if (first === 'host-backups') return { kind: 'backups', id: id === '' ? undefined : id }
  if (Object.hasOwn(KINDS, first)) return { kind: KINDS[first as keyof typeof KINDS], id }
  return { kind: 'server', id: first, fieldKey: key.slice(first.length + 1) }
}

/** The parts of one sign-in go together. */
function headOf(name: SecretName, key: string): string {
  return name.kind === 'signIn' ? `sign-in/${name.id}` : key
}

function isOwn(name: SecretName, { texts }: SecretOwners): boolean {
  switch (name.kind) {
    case 'probe':
      return true // a check that ended early left it, whoever made it
    case 'backups':
      return name.id === undefined || isNamed(name.id, texts.hosts)
    case 'agent':
      return isNamed(name.id, texts.agents)
    case 'shared':
    case 'signIn':
    case 'registry':
    case 'proxy':
    case 'server':
      return isNamed(name.id, texts.settings)
  }
}

function isNamed(id: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.includes(JSON.stringify(id)))
}

/** Of what there is one for the whole profile. */
const SINGLE = {
  probe: 'A check of the keychain',
  backups: 'Key of the copies of agent apps’ files',
  proxy: 'Password of the proxy',
} as const

function isSingle(name: SecretName): name is Extract<SecretName, { kind: keyof typeof SINGLE }> {
  return Object.hasOwn(SINGLE, name.kind)
}

function labelOf(name: SecretName, owners: SecretOwners): string {
  if (isSingle(name)) return SINGLE[name.kind]
  switch (name.kind) {
    case 'shared':
      return `Stored secret ${storedName(name.id, owners)}`
    case 'registry':
      return `Token of the registry ${owners.registries.get(name.id) ?? name.id}`
    case 'agent':
      return `Key of the agent ${owners.agents.get(name.id) ?? name.id}`
    case 'signIn':
      return `Sign-in of ${serverOf(name.id, owners)?.name ?? name.id}`
    case 'server':
      return fieldLabel(name, owners)
  }
}

function storedName(id: string, { stored }: SecretOwners): string {
  return stored.find(({ secretId }) => secretId === id)?.name ?? id
}

function fieldLabel(
  { id, fieldKey }: Extract<SecretName, { kind: 'server' }>,
  owners: SecretOwners,
): string {
  const server = serverOf(id, owners)
  const [kept, , ownKey] = fieldKey.split('/')
  // An earlier version has fields of its own.
  if (kept === 'kept' && ownKey !== undefined)
    return `${ownKey} of an earlier version of ${server?.name ?? id}`
  return server ? `${secretLabels(server)(fieldKey)} of ${server.name}` : `${fieldKey} of ${id}`
}

function serverOf(id: string, { installations }: SecretOwners): Installation | undefined {
  return installations.find(({ installationId }) => installationId === id)
}
