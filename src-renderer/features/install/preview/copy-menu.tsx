import { Copy } from 'lucide-react'
import type { ReactElement } from 'react'

import type { ShellKind, ShellText } from '../../../../src-shared/domain/installation/command-text'
import { toErrorShape } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { Menu, MenuAction } from '../../../ui/controls/menu'
import { showToast } from '../../../ui/overlays/toast'
import { problemWords } from '../../../ui/text/problem-messages'

/** Writes the command in the language of a shell; rejects with an `AppError`. */
export type WriteFor = (shell: ShellKind) => Promise<ShellText>

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
export function CopyMenu(props: {
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
