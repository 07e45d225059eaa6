import type {
  ArgumentOrigin,
  CommandPreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import type { ArgvLine } from '../../../components/configuration/argv-list'

/** A field, or one entry of a repeated field (counted from 0 among the entries that are not empty). */
export type FieldSpot = { readonly fieldKey: string; readonly entry?: number }

/** What is marked in a preview. */
export type Marks = {
  readonly live: FieldSpot | null
  readonly bad: readonly FieldSpot[]
  /** Saved secrets come from memory, since there is no keychain. */
  readonly secretsInMemory?: boolean
}

function matches(spot: FieldSpot, fieldKey: string | undefined, entry: number): boolean {
  return spot.fieldKey === fieldKey && (spot.entry === undefined || spot.entry === entry)
}

/** How a line of this field is drawn. */
export function stateOf(
  marks: Marks,
  fieldKey: string | undefined,
  entry: number,
): ArgvLine['state'] {
  if (marks.bad.some((spot) => matches(spot, fieldKey, entry))) return 'bad'
  return marks.live && matches(marks.live, fieldKey, entry) ? 'live' : 'plain'
}

/** Where a value comes from, in one word; what the registry fixed is called by its label. */
export function sourceWord({ kind, label }: ArgumentOrigin, { secretsInMemory }: Marks): string {
  if (kind === 'keychain' && secretsInMemory) return 'memory'
  return kind === 'fixed' ? label : kind
}

/** A flag names its field, since its value names the source. */
function originText(
  item: CommandPreview['args'][number],
  joinsNext: boolean,
  marks: Marks,
): string {
  const isFlag = joinsNext || (!item.joined && item.text.startsWith('-'))
  const isNamed = item.origin.fieldKey !== undefined
  return isFlag && isNamed ? item.origin.label : sourceWord(item.origin, marks)
}

/** The lines of a command: item 0 is what runs, then its arguments, each with its origin and state. */
export function argvLines(preview: CommandPreview, marks: Marks): ArgvLine[] {
  const seen = new Map<string, number>()
  const command: ArgvLine = {
    text: preview.command,
    secret: false,
    // Without a runner the program is the package itself.
    origin: preview.command === preview.packageName ? 'program' : 'runner',
    mine: false,
    joinsNext: false,
    state: 'plain',
  }
  const lines = preview.args.map((item, index): ArgvLine => {
    const { fieldKey, kind } = item.origin
    const joinsNext = preview.args[index + 1]?.joined ?? false
    if (fieldKey !== undefined && !item.joined) seen.set(fieldKey, (seen.get(fieldKey) ?? -1) + 1)
    return {
      text: item.text,
      secret: item.secret,
      origin: originText(item, joinsNext, marks),
      mine: kind === 'you' && !joinsNext,
      joinsNext,
      state: stateOf(marks, fieldKey, fieldKey === undefined ? 0 : (seen.get(fieldKey) ?? 0)),
    }
  })
  return [command, ...lines]
}

/** The variables that the server's process gets beside the usual ones. */
export function environmentLines(preview: CommandPreview, marks: Marks): ArgvLine[] {
  return preview.env.map((variable) => ({
    text: variable.text,
    lead: `${variable.name}=`,
    secret: variable.secret,
    origin: sourceWord(variable.origin, marks),
    mine: variable.origin.kind === 'you',
    joinsNext: false,
    state: stateOf(marks, variable.origin.fieldKey, 0),
  }))
}

/** Up to this many defaults a list is short enough to be read whole. */
const MOST_DEFAULTS = 5

/** The lines of an environment that are shown at first, and how many are not: of a long list the defaults are left out, except where the user is at work. */
export function foldDefaults(
  preview: Pick<CommandPreview, 'env'>,
  lines: readonly ArgvLine[],
): { readonly shown: readonly ArgvLine[]; readonly folded: number } {
  const isDefault = (index: number): boolean => preview.env[index]?.origin.kind === 'default'
  const shown = lines.filter((line, index) => !isDefault(index) || line.state !== 'plain')
  const folded = lines.length - shown.length
  return folded > MOST_DEFAULTS ? { shown, folded } : { shown: lines, folded: 0 }
}

/** The command as JSON, secrets as their mask. */
export function argvJson(preview: CommandPreview): string {
  return JSON.stringify([preview.command, ...preview.args.map((item) => item.text)])
}
