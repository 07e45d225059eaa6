import type {
  RemovalItem,
  RemovalList,
  RemovalOutcome,
} from '../../../src-shared/domain/state/removal'
import { counted, formatList } from '../../ui/text/format'

/** Things of one kind, under their heading. */
type RemovalGroup = {
  readonly title: string
  /** Bytes on the disk; undefined where they have none. */
  readonly size: number | undefined
  readonly items: readonly RemovalItem[]
}

const GROUPS: readonly {
  readonly title: string
  readonly kinds: readonly RemovalItem['kind'][]
}[] = [
  { title: 'App configuration files', kinds: ['hostEntry'] },
  { title: 'Keychain', kinds: ['secret'] },
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
    {
      total: count('hostEntry'),
      one: 'app configuration entry',
      many: 'app configuration entries',
    },
    { total: count('secret'), one: 'secret', many: 'secrets' },
    { total: count('file', 'folder'), one: 'file or folder', many: 'files and folders' },
  ].flatMap(({ total, one, many }) => (total === 0 ? [] : [counted(total, one, many)]))
  const what = parts.length === 0 ? '' : ` Removes ${formatList(parts)}.`
  return `Stops all servers and disconnects all agents.${what} You can’t undo this.`
}

/** What came of it, for the clipboard. */
export function outcomeText({ removed, left }: RemovalOutcome): string {
  const lines = [
    ...left.flatMap(({ label, place, reason }) => [
      `Remaining: ${label}`,
      `  ${place}`,
      `  ${reason}`,
    ]),
    ...removed.map((label) => `Removed: ${label}`),
  ]
  return `${lines.join('\n')}\n`
}

/** `1 item remains`, `2 items remain`. */
export function leftWords(count: number): string {
  return counted(count, 'item remains', 'items remain')
}
