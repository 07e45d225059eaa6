import type { HostServer } from '../../../src-shared/domain/agents/host'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { counted, formatCount, formatList } from '../../ui/text/format'
import type { FoundRow } from './found-rows'
import { givenName, hereAs, isImportable, isOnSomewhere } from './found-rows'

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

/** What an entry is called where several are to be told apart. */
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
