import type {
  RemovalItem,
  RemovalList,
  RemovalOutcome,
} from '../../../src-shared/domain/state/removal'

/** Things of one kind, under their heading. */
export type RemovalGroup = {
  readonly title: string
  /** Bytes on the disk; undefined where they have none. */
  readonly size: number | undefined
  readonly items: readonly RemovalItem[]
}

const GROUPS: readonly {
  readonly title: string
  readonly kinds: readonly RemovalItem['kind'][]
}[] = [
  { title: 'In agent apps’ files', kinds: ['hostEntry'] },
  { title: 'In the keychain', kinds: ['secret'] },
  { title: 'Files and folders', kinds: ['file', 'folder'] },
  { title: 'Start at login', kinds: ['login'] },
]

/** What is removed by kind, without the kinds that have nothing. */
export function removalGroups({ items }: Pick<RemovalList, 'items'>): RemovalGroup[] {
  return GROUPS.flatMap(({ title, kinds }) => {
    const found = items.filter(({ kind }) => kinds.includes(kind))
    if (found.length === 0) return []
    const sizes = found.flatMap(({ size }) => (size === undefined ? [] : [size]))
    const size = sizes.length === 0 ? undefined : sizes.reduce((sum, one) => sum + one, 0)
    return [{ title, size, items: found }]
  })
}

/** What the confirmation says is lost. */
export function consequenceWords({ items }: Pick<RemovalList, 'items'>): string {
  const count = (...kinds: RemovalItem['kind'][]): number =>
    items.filter(({ kind }) => kinds.includes(kind)).length
  const parts = [
    counted(count('hostEntry'), 'change of agent apps’ files', 'changes of agent apps’ files'),
    counted(count('secret'), 'secret', 'secrets'),
    counted(count('file', 'folder'), 'file or folder', 'files and folders'),
  ].filter((part) => part !== '')
  const what = parts.length === 0 ? 'Nothing is there to be removed.' : `${listed(parts)} go.`
  return `All servers stop, and agents lose their tools. ${what} Nothing of it can be brought back.`
}

/** What came of it, for the clipboard. */
export function outcomeText({ removed, left }: RemovalOutcome): string {
  const lines = [
    ...left.flatMap(({ label, place, reason }) => [`Left: ${label}`, `  ${place}`, `  ${reason}`]),
    ...removed.map((label) => `Removed: ${label}`),
  ]
  return `${lines.join('\n')}\n`
}

/** `1 thing is left`, `2 things are left`. */
export function leftWords(count: number): string {
  return counted(count, 'thing is left', 'things are left')
}

function counted(count: number, one: string, many: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${one}` : `${String(count)} ${many}`
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
