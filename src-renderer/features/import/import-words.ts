import type { HostServer } from '../../../src-shared/domain/agents/host'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { counted, formatCount } from '../../ui/text/elapsed'
import type { FoundRow } from './found-rows'
import { givenName, hereAs, isImportable, isOnSomewhere } from './found-rows'

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** What a row says of itself at its end, the weightiest first. */
export function rowMarks(
  row: FoundRow,
): readonly { readonly text: string; readonly isWarning: boolean }[] {
  const { server } = row.entry
  if (!isImportable(row)) return [{ text: 'Cannot be imported', isWarning: true }]
  const marks = [
    hereAs(row) !== undefined && { text: 'Already here', isWarning: false },
    server.toFill.length > 0 && { text: `${server.toFill.length} to fill in`, isWarning: true },
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
    if (one.kind !== 'remote' || other.kind !== 'remote') return ['how it is reached']
    return [...(one.url.text === other.url.text ? [] : ['its address']), ...names]
  }
  return [
    ...(one.command === other.command ? [] : ['its command']),
    ...(texts(one.args) === texts(other.args) ? [] : ['its arguments']),
    ...(one.cwd === other.cwd ? [] : ['its folder']),
    ...names,
  ]
}

/** The same as a sentence about the other one. */
export function differenceWords(row: FoundRow, other: FoundRow): string {
  const [here, there] = [row.entry.server.preview, other.entry.server.preview]
  if (here === null || there === null) return 'It cannot be compared.'
  const found = differences(here, there)
  return found.length === 0
    ? 'It differs in a secret or in what is not shown here.'
    : `It differs in ${listed(found)}.`
}

/** What an entry is called where several are to be told apart. */
export function entryLabel(entry: HostServer): string {
  const { hostName, hostPath, tools, server } = entry
  const asks = server.toFill.length > 0 ? [`asks for ${listed(server.toFill)}`] : []
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
  if (ticked.length === 0) return 'Nothing is ticked.'
  const secrets = ticked
    .flatMap(({ entry }) => entry.server.secrets)
    .filter(({ isKept }) => isKept).length
  const place = isInMemory ? 'kept in memory for this run' : 'to the keychain'
  const to = secrets === 0 ? '' : `, ${counted(secrets, 'secret')} ${place}`
  return `${formatCount(ticked.length)} of ${counted(all, 'server')}${to}.`
}
