import { Copy } from 'lucide-react'
import { memo, type ReactElement, useCallback, useMemo } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { useStore } from 'zustand'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { ShellKind, ShellText } from '../../../src-shared/domain/installation/command-text'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { toErrorShape } from '../../ipc/call'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { Banner } from '../../ui/layout/banner'
import { Skeleton } from '../../ui/layout/skeleton'
import { showToast } from '../../ui/overlays/toast'
import { counted } from '../../ui/text/format'
import { problemWords } from '../../ui/text/problem-messages'
import { type InstallFormModel, questionOf } from './editing/use-install-form'
import { CommandBody, RemoteBody } from './preview/preview-bodies'
import type { FieldSpot, Marks } from './values/argv-lines'
import { type FormView, knownProblems, placesOf } from './values/field-places'

/** The preview beside a form, with the lines of the focused field and of those with problems marked. */
export function LivePreview(props: {
  readonly model: InstallFormModel
  readonly view: FormView
  readonly secretsInMemory: boolean
}): ReactElement {
  const { model, view, secretsInMemory } = props
  const { form, board, channel, fields } = model
  const { control, getValues } = form
  const { preview, isAnswered, problem } = useStore(board.state)
  const focused = useStore(view, (state) => state.place)
  const { errors } = useFormState({ control })
  const kind = useWatch({ control, name: 'hand.kind' })
  const bad = useMemo(
    () =>
      knownProblems(errors, placesOf(getValues(), fields)).flatMap(({ spot }) =>
        spot ? [spot] : [],
      ),
    [errors, fields, getValues],
  )
  const live =
    focused === null
      ? undefined
      : placesOf(getValues(), fields).find(({ path }) => path === focused)?.spot
  const writeFor = useCallback(
    (shell: ShellKind): Promise<ShellText> => channel.write(questionOf(fields, getValues()), shell),
    [channel, fields, getValues],
  )
  if (isAnswered && preview === null)
    return (
      <aside className="aside subtle col" aria-label="Command preview">
        <p className="pad-5 faint">
          Enter the {kind} to preview what Patchbay will {kind === 'command' ? 'run' : 'send'}.
        </p>
      </aside>
    )
  return (
    <CommandPreview
      preview={preview}
      problem={problem}
      secretsInMemory={secretsInMemory}
      live={live ?? null}
      bad={bad}
      writeFor={writeFor}
    />
  )
}

/** Writes the command in the language of a shell; rejects with an `AppError`. */
type WriteFor = (shell: ShellKind) => Promise<ShellText>

const NAMES: Record<ShellKind, string> = {
  posix: 'bash and zsh',
  powershell: 'PowerShell',
  cmd: 'cmd.exe',
  json: 'JSON',
}

function copiedSentence(shell: ShellKind, { variables, caution }: ShellText): string {
  const isList = shell === 'json'
  const where = isList ? 'where you use it' : 'in that shell first'
  return [
    isList ? 'Copied as JSON.' : `Copied for ${NAMES[shell]}.`,
    variables.length > 0 ? `Secrets are not included. Set ${variables.join(', ')} ${where}.` : '',
    caution ?? '',
  ]
    .filter(Boolean)
    .join(' ')
}

async function copyFor(shell: ShellKind, write: WriteFor): Promise<void> {
  try {
    const written = await write(shell)
    await navigator.clipboard.writeText(written.text)
    showToast({ message: copiedSentence(shell, written) })
  } catch (thrown) {
    showToast({ tone: 'error', message: refusal(thrown) })
  }
}

function refusal(thrown: unknown): string {
  if (thrown instanceof DOMException)
    return 'Can’t use the clipboard. Select the lines and copy them.'
  return problemWords(toErrorShape(thrown))
}

const SHELLS = ['posix', 'powershell', 'cmd', 'json'] as const

/** Copies what is previewed: a command in a shell's own quoting, or as JSON. */
function CopyMenu(props: {
  readonly kind: 'command' | 'remote'
  readonly write: WriteFor
}): ReactElement {
  const { kind, write } = props
  const copy = (shell: ShellKind): void => void copyFor(shell, write)
  if (kind === 'remote')
    return (
      <Button variant="quiet" size="small" icon={Copy} onClick={() => copy('json')}>
        Copy
      </Button>
    )
  return (
    <Menu
      label="Copy command"
      trigger={
        <Button variant="quiet" size="small" icon={Copy}>
          Copy
        </Button>
      }
    >
      {SHELLS.map((shell) => (
        <MenuAction key={shell} onSelect={() => copy(shell)}>
          {shell === 'json' ? 'As JSON list' : `For ${NAMES[shell]}`}
        </MenuAction>
      ))}
    </Menu>
  )
}

type CommandPreviewProps = {
  readonly preview: LaunchPreview | null
  readonly problem: AppErrorShape | null
  readonly live: FieldSpot | null
  readonly bad: readonly FieldSpot[]
  readonly secretsInMemory: boolean
  /** Without it there is no Copy button. */
  readonly writeFor?: WriteFor | undefined
}

function summaryOf(preview: LaunchPreview): string {
  if (preview.kind === 'remote') return TRANSPORT_NAMES[preview.type]
  const count = preview.args.length
  if (count === 0) return `${preview.command}, no arguments`
  return `${preview.command}, ${counted(count, 'argument')}`
}

function PreviewBody(props: {
  readonly preview: LaunchPreview
  readonly marks: Marks
}): ReactElement {
  const { preview, marks } = props
  return (
    <>
      {preview.warnings.map((warning) => (
        <div className="below-2" key={warning}>
          <Banner severity="warn">{warning}</Banner>
        </div>
      ))}
      {preview.kind === 'command' ? (
        <CommandBody preview={preview} marks={marks} />
      ) : (
        <RemoteBody preview={preview} marks={marks} />
      )}
    </>
  )
}

/** The exact command or address that the form makes, line by line, and what goes with it. */
const CommandPreview = memo(function CommandPreview(props: CommandPreviewProps): ReactElement {
  const { preview, problem, live, bad, secretsInMemory, writeFor } = props
  const isRemote = preview?.kind === 'remote'
  return (
    <aside
      className="aside subtle col"
      aria-label={isRemote ? 'Connection preview' : 'Command preview'}
    >
      <div className="pad-bar row gap-2">
        <h2 className="fixed">{isRemote ? 'Connection' : 'Command'}</h2>
        <span className="faint cut">{preview ? summaryOf(preview) : ''}</span>
        <span className="grow" />
        {preview && writeFor ? <CopyMenu kind={preview.kind} write={writeFor} /> : null}
      </div>
      <div
        className="preview-body fill scroll"
        tabIndex={0}
        role="region"
        aria-label={isRemote ? 'Address and headers' : 'Arguments and environment'}
      >
        {problem ? (
          <div className="below-2">
            <Banner severity="error" title={problem.message}>
              {problem.hint}
            </Banner>
          </div>
        ) : null}
        {preview === null && problem === null ? <Skeleton label="Reading the command" /> : null}
        {preview ? <PreviewBody preview={preview} marks={{ live, bad, secretsInMemory }} /> : null}
      </div>
    </aside>
  )
})

/** What people call the ways to reach a server over the network. */
export const TRANSPORT_NAMES = {
  'streamable-http': 'Streamable HTTP',
  sse: 'HTTP with SSE',
} as const
