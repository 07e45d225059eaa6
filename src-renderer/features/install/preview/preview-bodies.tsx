import { type ReactElement, useId, useState } from 'react'

import type {
  ArgumentOrigin,
  CommandPreview,
  LaunchPreview,
  RemotePreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { type ArgvLine, ArgvList } from '../../../components/configuration/server-launch'
import { useRequest } from '../../../ipc/use-request'
import { Disclosure, DisclosureButton } from '../../../ui/controls/disclosure'
import { counted } from '../../../ui/text/format'
import type { FieldRef } from '../values/form-controls'

/** Marks in a preview. */
export type Marks = {
  readonly live: FieldRef | null
  readonly bad: readonly FieldRef[]
  /** Whether saved secrets come from memory, because there is no keychain. */
  readonly secretsInMemory?: boolean
}

type PairsProps = {
  readonly title: string
  readonly lines: readonly ArgvLine[]
  readonly fold?: ReturnType<typeof foldDefaults>
}

function Pairs({ title, lines, fold }: PairsProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const { shown = lines, folded = 0 } = fold ?? {}
  const inView = isOpen ? lines : shown
  return (
    <section aria-label={title}>
      <div className="mt-4 mb-1 flex min-h-7 items-center gap-2">
        <h3>{title}</h3>
        <span className="text-faint tabular-nums">
          {lines.length === 0 ? 'none' : `${lines.length} added`}
        </span>
      </div>
      <div id={id}>
        {inView.length === 0 ? null : <ArgvList label={title} lines={inView} numbered={false} />}
      </div>
      {folded === 0 ? null : (
        <div className="px-3 py-2">
          <DisclosureButton
            label={`${String(folded)} defaults, ${isOpen ? 'hide' : 'show'}`}
            open={isOpen}
            controls={id}
            onOpenChange={setIsOpen}
          />
        </div>
      )}
    </section>
  )
}

function HeldBack(): ReactElement | null {
  const { value: names = [] } = useRequest('runner.heldBack', {})
  if (names.length === 0) return null
  const label = `${counted(names.length, 'variable')} of this computer not passed on`
  return (
    <div className="px-3 py-2">
      <Disclosure label={label} className="text-small text-pretty wrap-anywhere text-faint">
        Add a variable that the server needs to its configuration: <code>{names.join(', ')}</code>.
      </Disclosure>
    </div>
  )
}

type BodyProps<P> = { readonly preview: P; readonly marks: Marks }

function CommandBody({ preview, marks }: BodyProps<CommandPreview>): ReactElement {
  const { cwd, transport } = preview
  const environment = pairLines(preview.env, '=', marks)
  return (
    <>
      <ArgvList label="Command" lines={argvLines(preview, marks)} />
      <Pairs title="Environment" lines={environment} fold={foldDefaults(preview, environment)} />
      <HeldBack />
      {transport?.url === undefined ? null : (
        <section aria-label="Address">
          <div className="mt-4 mb-1 flex min-h-7 items-center gap-2">
            <h3>Then connects to</h3>
          </div>
          <ArgvList
            label="Address"
            lines={[{ text: transport.url, origin: 'package' }]}
            numbered={false}
          />
        </section>
      )}
      {transport?.headers === undefined ? null : (
        <Pairs title="Headers" lines={pairLines(transport.headers, ': ', marks)} />
      )}
      {cwd === undefined ? null : (
        <p className="mt-3 text-small text-pretty wrap-anywhere text-faint">
          Runs in <code>{cwd}</code>.
        </p>
      )}
      <p className="mt-3 text-small text-pretty wrap-anywhere text-faint">
        Each line is one argument, exactly as shown. No shell is used, so spaces and symbols are
        safe.
      </p>
    </>
  )
}

/** The command or address line by line, each with its source. */
export function PreviewBody({ preview, marks }: BodyProps<LaunchPreview>): ReactElement {
  if (preview.kind === 'command') return <CommandBody preview={preview} marks={marks} />
  return (
    <>
      <ArgvList label="Address" lines={[addressLine(preview, marks)]} numbered={false} />
      <Pairs title="Headers" lines={pairLines(preview.headers, ': ', marks)} />
      <p className="mt-3 text-small text-pretty wrap-anywhere text-faint">
        The server runs at this address, not on this computer. Your values are sent with every
        request.
      </p>
    </>
  )
}

function stateOf(
  { bad: invalid, live }: Marks,
  fieldKey: string | undefined,
  entry: number,
): ArgvLine['state'] {
  const isHere = (fieldRef: FieldRef): boolean =>
    fieldRef.fieldKey === fieldKey && (fieldRef.entry === undefined || fieldRef.entry === entry)
  if (invalid.some(isHere)) return 'bad'
  return live && isHere(live) ? 'live' : undefined
}

/** Returns the source of a value in one word; for a fixed value the registry's label. */
function sourceLabel({ kind, label }: ArgumentOrigin, { secretsInMemory }: Marks): string {
  if (kind === 'keychain' && secretsInMemory) return 'memory'
  return kind === 'fixed' ? label : kind
}

type Part = Pick<RemotePreview['url'], 'text' | 'secret' | 'origin'>

/** Returns one part of a launch with its source; `entry` is its index if its field is a list. */
function lineOf({ text, secret, origin }: Part, marks: Marks, entry = 0) {
  return {
    ...{ text, secret, origin: sourceLabel(origin, marks), mine: origin.kind === 'you' },
    state: stateOf(marks, origin.fieldKey, entry),
  } satisfies ArgvLine
}

/** Returns the lines of a command: the program first, then its arguments, each with its source and state. */
export function argvLines(
  { command, args, packageName }: CommandPreview,
  marks: Marks,
): ArgvLine[] {
  const seen = new Map<string, number>()
  // Without a runner the program is the package itself.
  const program: ArgvLine = {
    text: command,
    origin: command === packageName ? 'program' : 'runner',
  }
  const lines = args.map((item, index): ArgvLine => {
    const { fieldKey = '', label } = item.origin
    const joinsNext = args[index + 1]?.joined ?? false
    if (!item.joined) seen.set(fieldKey, (seen.get(fieldKey) ?? -1) + 1)
    const line = lineOf(item, marks, seen.get(fieldKey))
    const isFlag = joinsNext || (!item.joined && item.text.startsWith('-'))
    return {
      ...line,
      // A flag names its field, because its value names the source.
      ...(isFlag && fieldKey !== '' && { origin: label }),
      ...{ joinsNext, mine: line.mine && !joinsNext },
    }
  })
  return [program, ...lines]
}

/** Returns the lines of variables or headers, each prefixed with its name. */
export function pairLines(
  pairs: readonly (Part & { readonly name: string })[],
  sign: '=' | ': ',
  marks: Marks,
): ArgvLine[] {
  return pairs.map((pair) => ({ ...lineOf(pair, marks), lead: `${pair.name}${sign}` }))
}

/** Returns the line of the address. Its secret is masked in place, so the line is shown. */
export function addressLine({ url }: RemotePreview, marks: Marks): ArgvLine {
  return { ...lineOf(url, marks), secret: false }
}

/** Maximum number of defaults that are shown without folding. */
const MAX_DEFAULTS = 5

/** Returns the environment lines to show first, and the number of folded ones. A long list folds its defaults, except a highlighted one. */
export function foldDefaults(
  preview: Pick<CommandPreview, 'env'>,
  lines: readonly ArgvLine[],
): { readonly shown: readonly ArgvLine[]; readonly folded: number } {
  const isDefault = (index: number): boolean => preview.env[index]?.origin.kind === 'default'
  const shown = lines.filter((line, index) => !isDefault(index) || line.state !== undefined)
  const folded = lines.length - shown.length
  return folded > MAX_DEFAULTS ? { shown, folded } : { shown: lines, folded: 0 }
}
