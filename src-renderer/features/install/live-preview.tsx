import { Copy } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { useStore } from 'zustand'

import type { ShellKind, ShellText } from '../../../src-shared/domain/installation/command-text'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { errorText } from '../../ipc/show-failure'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { Banner, ProblemBanner, ScrollRegion, Skeleton } from '../../ui/layout/page'
import { showToast } from '../../ui/overlays/toast'
import { counted } from '../../ui/text/format'
import { commandInput } from './editing/use-install-form'
import { useFormModel } from './fields/field-context'
import { type Marks, PreviewBody } from './preview/preview-bodies'
import { formControls, knownProblems } from './values/form-controls'

function useMarks(): Marks {
  const { form, control, view, fields, secretsInMemory } = useFormModel()
  const focused = useStore(view, (state) => state.place)
  const { errors } = useFormState({ control })
  const places = formControls(form.getValues(), fields)
  return {
    live: places.find(({ path }) => path === focused)?.fieldRef ?? null,
    bad: knownProblems(errors, places).flatMap(({ fieldRef }) => fieldRef ?? []),
    secretsInMemory,
  }
}

/** The exact command or address of the form, line by line, with its warnings and actions. */
export function LivePreview(): ReactElement {
  const { form, control, commandPreview, channel, fields } = useFormModel()
  const { preview, isAnswered: hasResult, problem } = useStore(commandPreview.state)
  const marks = useMarks()
  const kind = useWatch({ control, name: 'customServer.kind' })
  if (hasResult && preview === null)
    return (
      <aside className="aside flex flex-col bg-subtle" aria-label="Command preview">
        <p className="p-5 text-faint">
          Enter the {kind} to preview what Patchbay will {kind === 'command' ? 'run' : 'send'}.
        </p>
      </aside>
    )
  const isRemote = preview?.kind === 'remote'
  return (
    <aside
      className="aside flex flex-col bg-subtle"
      aria-label={isRemote ? 'Connection preview' : 'Command preview'}
    >
      <div className="flex items-center gap-2 px-5 py-3">
        <h2 className="flex-none">{isRemote ? 'Connection' : 'Command'}</h2>
        {preview && <span className="truncate text-faint">{summaryOf(preview)}</span>}
        <span className="min-w-0 flex-1" />
        {preview && (
          <CopyMenu
            kind={preview.kind}
            write={(shell) => channel.write(commandInput(fields, form.getValues()), shell)}
          />
        )}
      </div>
      <ScrollRegion
        className="preview-body min-h-0 flex-1 px-5 pb-5"
        label={isRemote ? 'Address and headers' : 'Arguments and environment'}
      >
        <ProblemBanner problem={problem} />
        {preview === null && problem === null && <Skeleton label="Reading the command" />}
        {preview?.warnings.map((warning) => (
          <Banner key={warning} severity="warn">
            {warning}
          </Banner>
        ))}
        {preview && <PreviewBody preview={preview} marks={marks} />}
      </ScrollRegion>
    </aside>
  )
}

const NAMES: Record<ShellKind, string> = {
  posix: 'bash and zsh',
  powershell: 'PowerShell',
  cmd: 'cmd.exe',
  json: 'JSON',
}

function copiedMessage(shell: ShellKind, { variables, caution }: ShellText): string {
  const isList = shell === 'json'
  const where = isList ? 'where you use it' : 'in that shell first'
  const messages = [
    isList ? 'Copied as JSON.' : `Copied for ${NAMES[shell]}.`,
    variables.length > 0 && `Secrets are not included. Set ${variables.join(', ')} ${where}.`,
    caution,
  ]
  return messages.filter(Boolean).join(' ')
}

async function copyFor(shell: ShellKind, shellText: Promise<ShellText>): Promise<void> {
  try {
    const written = await shellText
    await navigator.clipboard.writeText(written.text)
    showToast({ message: copiedMessage(shell, written) })
  } catch (thrown) {
    const message =
      thrown instanceof DOMException
        ? 'Can’t use the clipboard. Select the lines and copy them.'
        : errorText(thrown)
    showToast({ tone: 'error', message })
  }
}

const SHELLS = ['posix', 'powershell', 'cmd', 'json'] as const

function CopyMenu(props: {
  readonly kind: 'command' | 'remote'
  readonly write: (shell: ShellKind) => Promise<ShellText>
}): ReactElement {
  const { kind, write } = props
  const copy = (shell: ShellKind): void => void copyFor(shell, write(shell))
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

function summaryOf(preview: LaunchPreview): string {
  if (preview.kind === 'remote') return TRANSPORT_NAMES[preview.type]
  const count = preview.args.length
  if (count === 0) return `${preview.command}, no arguments`
  return `${preview.command}, ${counted(count, 'argument')}`
}

/** Labels of the transports to a remote server. */
export const TRANSPORT_NAMES = {
  'streamable-http': 'Streamable HTTP',
  sse: 'HTTP with SSE',
} as const
