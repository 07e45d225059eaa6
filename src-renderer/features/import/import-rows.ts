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

/** One server to import: the entries of all apps that run the same. */
export type ImportableRow = {
  /** `sameAs` of its entries. */
  readonly key: string
  readonly entries: readonly HostServer[]
  /** The entry to import. */
  readonly entry: HostServer
  /** Keys of other rows with the same name that run differently. */
  readonly kin: readonly string[]
}

/** The user's decisions; empty as long as there are none. */
export type ImportDraft = {
  /** Rows that the user selected or deselected. */
  readonly ticks: ReadonlyMap<string, boolean>
  /** Key of the entry to import, by row. */
  readonly counting: ReadonlyMap<string, string>
  /** Decisions by entry key. */
  readonly decided: ReadonlyMap<string, Decided>
}

/** A draft without decisions. */
export const BLANK_DRAFT: ImportDraft = {
  ticks: new Map(),
  counting: new Map(),
  decided: new Map(),
}

/** Returns a key that is unique among the entries of all apps. */
export function entryKey({ fileId, entryName }: Pick<HostServer, 'fileId' | 'entryName'>): string {
  return JSON.stringify([fileId, entryName])
}

/** Returns the server's name from the file in Patchbay's spelling; a server here may already have this name. */
export function importedName({ server }: HostServer): string {
  return server.takenName ?? server.name
}

/** Whether the row can be imported. */
export function isImportable({ entry }: Pick<ImportableRow, 'entry'>): boolean {
  return entry.server.preview !== null
}

/** Returns the installed server that runs the same. */
export function alreadyInstalledAs({
  entries,
}: Pick<ImportableRow, 'entries'>): HostServer['alreadyInstalledAs'] {
  return entries.find(({ alreadyInstalledAs }) => alreadyInstalledAs !== undefined)
    ?.alreadyInstalledAs
}

function isEnabledSomewhere({ entries }: Pick<ImportableRow, 'entries'>): boolean {
  return entries.some(({ isOn }) => isOn)
}

/** Returns the entry that the user chose; else an importable one without missing values, preferably enabled. */
function entryToImport(
  entries: readonly [HostServer, ...HostServer[]],
  wanted: string | undefined,
): HostServer {
  const worth = (entry: HostServer): number =>
    (isImportable({ entry }) ? 4 : 0) +
    (entry.server.toFill.length === 0 ? 2 : 0) +
    (entry.isOn ? 1 : 0)
  const chosen = entries.find((entry) => entryKey(entry) === wanted)
  return chosen ?? entries.toSorted((one, other) => worth(other) - worth(one))[0] ?? entries[0]
}

/** Returns one row for each distinct server of all apps; rows with the same name are adjacent. */
export function importRows({ servers }: HostServers, draft: ImportDraft): readonly ImportableRow[] {
  const groups = Map.groupBy(servers, ({ sameAs }) => sameAs)
  const rows = [...groups].flatMap(([key, [first, ...more]]): ImportableRow[] => {
    if (!first) return []
    const entries = [first, ...more] as const
    return [{ key, entries, entry: entryToImport(entries, draft.counting.get(key)), kin: [] }]
  })
  const byName = Map.groupBy(rows, ({ entry }) => importedName(entry).toLowerCase())
  return [...byName.values()].flatMap((named) =>
    named.map((row) => ({
      ...row,
      kin: named.filter(({ key }) => key !== row.key).map(({ key }) => key),
    })),
  )
}

/** Returns the rows that are selected by default: enabled, new, and of one name the one with the most entries. */
function tickedFirst(rows: readonly ImportableRow[]): ReadonlySet<string> {
  const wanted = rows.filter(
    (row) => isImportable(row) && isEnabledSomewhere(row) && alreadyInstalledAs(row) === undefined,
  )
  const byName = Map.groupBy(wanted, ({ entry }) => importedName(entry).toLowerCase())
  const best = [...byName.values()].flatMap((named) => {
    const most = Math.max(...named.map(({ entries }) => entries.length))
    return named.find(({ entries }) => entries.length === most) ?? []
  })
  return new Set(best.map(({ key }) => key))
}

/** Returns the rows to import. */
export function tickedRows(
  rows: readonly ImportableRow[],
  { ticks }: ImportDraft,
): readonly ImportableRow[] {
  const first = tickedFirst(rows)
  return rows.filter((row) => isImportable(row) && (ticks.get(row.key) ?? first.has(row.key)))
}

/** Returns the request to main: the selected rows first, which get their names in this order, then others with decisions. */
export function choicesOf(
  rows: readonly ImportableRow[],
  draft: ImportDraft,
): { readonly ticked: ImportChoice[]; readonly others: ImportChoice[] } {
  const choice = ({ entry: { fileId, entryName }, entry }: ImportableRow): ImportChoice => ({
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

/** Whether leaving the page would lose decisions. */
export function isDecided({ ticks, counting, decided }: ImportDraft): boolean {
  return ticks.size + counting.size + decided.size > 0
}

/**
 * Returns the entries to turn off when rows are imported: all enabled entries that run the same, in every app. In the file of the imported
 * entry, only that one: two equal entries there are intended.
 */
export function entriesToSwitchOff(rows: readonly ImportableRow[]): HostServerRef[] {
  return rows.flatMap(({ entries, entry }) =>
    entries
      .filter((one) => one.isOn && (one === entry || one.fileId !== entry.fileId))
      .map(({ fileId, entryName }) => ({ fileId, entryName })),
  )
}

/** Returns the unique names of the apps that have a row. */
export function hostNames({ entries }: Pick<ImportableRow, 'entries'>): readonly string[] {
  return [...new Set(entries.map(({ hostName }) => hostName))]
}

/** Returns the rows of one app, or of all, whose name, app or command contains the search terms. */
export function filterRows(
  rows: readonly ImportableRow[],
  { host, query }: { readonly host: string; readonly query: string },
): readonly ImportableRow[] {
  const matches = wordsSearch(query)
  return rows.filter((row) => {
    const names = hostNames(row)
    if (host !== '' && !names.includes(host)) return false
    const { preview, name } = row.entry.server
    const command = preview === null ? '' : summaryLine(preview)
    return matches(name, ...row.entries.map(importedName), ...names, command)
  })
}

/** Returns the marks at the end of a row, most important first. */
export function rowMarks(
  row: ImportableRow,
): readonly { readonly text: string; readonly isWarning: boolean }[] {
  const { server } = row.entry
  if (!isImportable(row)) return [{ text: 'Can’t import', isWarning: true }]
  const marks = [
    alreadyInstalledAs(row) !== undefined && { text: 'Already added', isWarning: false },
    server.toFill.length > 0 && {
      text: counted(server.toFill.length, 'missing value'),
      isWarning: true,
    },
    !isEnabledSomewhere(row) && { text: 'Off', isWarning: false },
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

/** Returns the differences between two servers of the same name; secrets are masked, so two of them look equal. */
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

/** Returns the differences of the other row as a sentence. */
export function differenceText(row: ImportableRow, other: ImportableRow): string {
  const [here, there] = [row.entry.server.preview, other.entry.server.preview]
  if (here === null || there === null) return 'Can’t compare this entry.'
  const found = differences(here, there)
  return found.length === 0
    ? 'Differs in a secret or a hidden value.'
    : `Differs in ${formatList(found)}.`
}

/** Returns the label of an entry in a choice of several. */
export function entryLabel(entry: HostServer): string {
  const { hostName, hostPath, tools, server } = entry
  const asks = server.toFill.length > 0 ? [`needs ${formatList(server.toFill)}`] : []
  return [
    importedName(entry),
    `${hostName}, ${hostPath}`,
    ...(tools === undefined ? [] : [tools]),
    ...asks,
  ].join(' · ')
}

/** Returns what will be imported, as a sentence; secrets may be kept in memory only. */
export function summaryText(
  ticked: readonly ImportableRow[],
  all: number,
  { isInMemory }: { readonly isInMemory: boolean },
): string {
  if (ticked.length === 0) return 'Select servers to import.'
  const secrets = ticked
    .flatMap(({ entry }) => entry.server.secrets)
    .filter(({ isKept }) => isKept).length
  const location = isInMemory ? 'kept in memory for this run' : 'to the keychain'
  const to = secrets === 0 ? '' : `, ${counted(secrets, 'secret')} ${location}`
  return `${formatCount(ticked.length)} of ${counted(all, 'server')}${to}.`
}
