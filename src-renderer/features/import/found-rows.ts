import type {
  HostServer,
  HostServerRef,
  HostServers,
  ImportChoice,
} from '../../../src-shared/domain/agents/host'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { type Decided, UNDECIDED } from '../../components/configuration/server-choices'
import { summaryLine } from '../../components/configuration/server-launch'
import { counted, formatCount, formatList } from '../../ui/text/format'
import { wordsSearch } from '../../ui/text/words-search'

/** What runs the same in any hosts: one server to import. */
export type FoundRow = {
  /** `sameAs` of its entries. */
  readonly key: string
  readonly entries: readonly HostServer[]
  /** The entry that is imported. */
  readonly entry: HostServer
  /** Keys of other rows whose entries have the same name and run otherwise. */
  readonly kin: readonly string[]
}

/** What the user decided; all of it is missing as long as nothing was. */
export type ImportDraft = {
  /** Rows that were ticked or unticked manually. */
  readonly ticks: ReadonlyMap<string, boolean>
  /** By row, the key of the entry that counts. */
  readonly counting: ReadonlyMap<string, string>
  /** By the key of an entry. */
  readonly decided: ReadonlyMap<string, Decided>
}

/** The draft in which nothing is decided. */
export const BLANK_DRAFT: ImportDraft = {
  ticks: new Map(),
  counting: new Map(),
  decided: new Map(),
}

/** What names an entry among all of all hosts. */
export function entryKey({ fileId, entryName }: Pick<HostServer, 'fileId' | 'entryName'>): string {
  return JSON.stringify([fileId, entryName])
}

/** What the file calls a server, in the words of Patchbay; another may have the name here. */
export function givenName({ server }: HostServer): string {
  return server.takenName ?? server.name
}

function isUsable({ server }: HostServer): boolean {
  return server.preview !== null
}

/** Whether something of the row can be added. */
export function isImportable({ entry }: FoundRow): boolean {
  return isUsable(entry)
}

/** The server of Patchbay that runs the same. */
export function hereAs({ entries }: Pick<FoundRow, 'entries'>): HostServer['isHereAs'] {
  return entries.find(({ isHereAs }) => isHereAs !== undefined)?.isHereAs
}

/** Whether a host has one of its entries switched on. */
function isOnSomewhere({ entries }: Pick<FoundRow, 'entries'>): boolean {
  return entries.some(({ isOn }) => isOn)
}

/** The one that the user chose; else one that asks for nothing more, rather one that is on. */
function countingEntry(
  entries: readonly [HostServer, ...HostServer[]],
  wanted: string | undefined,
): HostServer {
  const worth = (entry: HostServer): number =>
    (isUsable(entry) ? 4 : 0) + (entry.server.toFill.length === 0 ? 2 : 0) + (entry.isOn ? 1 : 0)
  const chosen = entries.find((entry) => entryKey(entry) === wanted)
  return chosen ?? entries.toSorted((one, other) => worth(other) - worth(one))[0] ?? entries[0]
}

/** The servers of all hosts, one row for each that runs otherwise; those of one name stand together. */
export function foundRows({ servers }: HostServers, draft: ImportDraft): readonly FoundRow[] {
  const groups = Map.groupBy(servers, ({ sameAs }) => sameAs)
  const rows = [...groups].flatMap(([key, [first, ...more]]): FoundRow[] => {
    if (!first) return []
    const entries = [first, ...more] as const
    return [{ key, entries, entry: countingEntry(entries, draft.counting.get(key)), kin: [] }]
  })
  const byName = Map.groupBy(rows, ({ entry }) => givenName(entry).toLowerCase())
  return [...byName.values()].flatMap((named) =>
    named.map((row) => ({
      ...row,
      kin: named.filter(({ key }) => key !== row.key).map(({ key }) => key),
    })),
  )
}

/** Rows that are ticked before the user says anything: what is on in a host, new here, and of one name the one that most entries have. */
function tickedFirst(rows: readonly FoundRow[]): ReadonlySet<string> {
  const wanted = rows.filter(
    (row) => isImportable(row) && isOnSomewhere(row) && hereAs(row) === undefined,
  )
  const byName = Map.groupBy(wanted, ({ entry }) => givenName(entry).toLowerCase())
  const best = [...byName.values()].flatMap((named) => {
    const most = Math.max(...named.map(({ entries }) => entries.length))
    return named.find(({ entries }) => entries.length === most) ?? []
  })
  return new Set(best.map(({ key }) => key))
}

/** The rows that are to be imported. */
export function tickedRows(rows: readonly FoundRow[], { ticks }: ImportDraft): readonly FoundRow[] {
  const first = tickedFirst(rows)
  return rows.filter((row) => isImportable(row) && (ticks.get(row.key) ?? first.has(row.key)))
}

/** What main is asked: the ticked ones first, which get their names in this order, then others that something was decided about. */
export function choicesOf(
  rows: readonly FoundRow[],
  draft: ImportDraft,
): { readonly ticked: ImportChoice[]; readonly others: ImportChoice[] } {
  const choice = ({ entry: { fileId, entryName }, entry }: FoundRow): ImportChoice => ({
    fileId,
    entryName,
    ...(draft.decided.get(entryKey(entry)) ?? UNDECIDED),
  })
  const ticked = tickedRows(rows, draft)
  const others = rows.filter(
    (row) => !ticked.includes(row) && draft.decided.has(entryKey(row.entry)),
  )
  return { ticked: ticked.map(choice), others: others.map(choice) }
}

/** Whether leaving would lose something that the user chose. */
export function isDecided({ ticks, counting, decided }: ImportDraft): boolean {
  return ticks.size + counting.size + decided.size > 0
}

/**
 * What is switched off where rows are imported: all that is on and runs the same, in every host. In the file that a
 * row is imported from, it is its entry alone: who wrote two of the same there meant two.
 */
export function entriesToSwitchOff(rows: readonly FoundRow[]): HostServerRef[] {
  return rows.flatMap(({ entries, entry }) =>
    entries
      .filter((one) => one.isOn && (one === entry || one.fileId !== entry.fileId))
      .map(({ fileId, entryName }) => ({ fileId, entryName })),
  )
}

/** Names of the hosts that have a row, each once. */
export function hostNames({ entries }: Pick<FoundRow, 'entries'>): readonly string[] {
  return [...new Set(entries.map(({ hostName }) => hostName))]
}

/** The rows of one host, or of all, that have the searched words in their name, host or command. */
export function filterRows(
  rows: readonly FoundRow[],
  { host, query }: { readonly host: string; readonly query: string },
): readonly FoundRow[] {
  const isFound = wordsSearch(query)
  return rows.filter((row) => {
    const names = hostNames(row)
    if (host !== '' && !names.includes(host)) return false
    const { preview, name } = row.entry.server
    const command = preview === null ? '' : summaryLine(preview)
    return isFound(name, ...row.entries.map(givenName), ...names, command)
  })
}

/** What a row says of itself at its end, the weightiest first. */
export function rowMarks(
  row: FoundRow,
): readonly { readonly text: string; readonly isWarning: boolean }[] {
  const { server } = row.entry
  if (!isImportable(row)) return [{ text: 'Can’t import', isWarning: true }]
  const marks = [
    hereAs(row) !== undefined && { text: 'Already added', isWarning: false },
    server.toFill.length > 0 && {
      text: counted(server.toFill.length, 'missing value'),
      isWarning: true,
    },
    !isOnSomewhere(row) && { text: 'Off', isWarning: false },
    row.kin.length > 0 && { text: 'Differs', isWarning: false },
  ]
  return marks.filter((mark) => mark !== false)
}

type Pairs = ReadonlyMap<string, string>

function pairsOf(preview: LaunchPreview): Pairs {
  const pairs = preview.kind === 'remote' ? preview.headers : preview.env
  return new Map(pairs.map(({ name, text }) => [name, text]))
}

function differingNames(one: Pairs, other: Pairs): string[] {
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].filter((name) => one.get(name) !== other.get(name))
}

function texts(shown: readonly { readonly text: string }[]): string {
  return JSON.stringify(shown.map(({ text }) => text))
}

/** What is otherwise in one of two servers of the same name; secrets are masked, so that two of them look alike. */
export function differences(one: LaunchPreview, other: LaunchPreview): readonly string[] {
  const names = differingNames(pairsOf(one), pairsOf(other))
  if (one.kind === 'remote' || other.kind === 'remote') {
    if (one.kind !== 'remote' || other.kind !== 'remote') return ['connection type']
    return [...(one.url.text === other.url.text ? [] : ['address']), ...names]
  }
  return [
    ...(one.command === other.command ? [] : ['command']),
    ...(texts(one.args) === texts(other.args) ? [] : ['arguments']),
    ...(one.cwd === other.cwd ? [] : ['folder']),
    ...names,
  ]
}

/** The same as a sentence about the other one. */
export function differenceWords(row: FoundRow, other: FoundRow): string {
  const [here, there] = [row.entry.server.preview, other.entry.server.preview]
  if (here === null || there === null) return 'Can’t compare this entry.'
  const found = differences(here, there)
  return found.length === 0
    ? 'Differs in a secret or a hidden value.'
    : `Differs in ${formatList(found)}.`
}

/** What an entry is called where several are to be distinguished. */
export function entryLabel(entry: HostServer): string {
  const { hostName, hostPath, tools, server } = entry
  const asks = server.toFill.length > 0 ? [`needs ${formatList(server.toFill)}`] : []
  return [
    givenName(entry),
    `${hostName}, ${hostPath}`,
    ...(tools === undefined ? [] : [tools]),
    ...asks,
  ].join(' · ')
}

/** What is about to be imported, in a sentence; secrets may be held in memory only. */
export function sumWords(
  ticked: readonly FoundRow[],
  all: number,
  { isInMemory }: { readonly isInMemory: boolean },
): string {
  if (ticked.length === 0) return 'Select servers to import.'
  const secrets = ticked
    .flatMap(({ entry }) => entry.server.secrets)
    .filter(({ isKept }) => isKept).length
  const place = isInMemory ? 'kept in memory for this run' : 'to the keychain'
  const to = secrets === 0 ? '' : `, ${counted(secrets, 'secret')} ${place}`
  return `${formatCount(ticked.length)} of ${counted(all, 'server')}${to}.`
}
