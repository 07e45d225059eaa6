import type { JSX } from 'react'
import { useState } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { call } from '../../../ipc/call'
import { pickPath } from '../../../ipc/pick-path'
import { refusalWords } from '../../../ipc/tell-failure'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { WarnText } from '../../../ui/fields/problem-text'
import { FoldersDialog } from '../../../ui/overlays/folders-dialog'
import { visibleText } from '../../../ui/text/visible-text'

/** The folders that a server is told when it asks for roots, and the way to change them. */
export function Folders({ server }: { readonly server: ServerView }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const { name, roots, asked } = server
  return (
    <div className="facts stack at-base faint">
      <span id="roots-label">Folders</span>
      <div className="stack at-start gap-1 slim">
        {roots.length > 0 && (
          <ul className="stack gap-1 ink" aria-labelledby="roots-label">
            {roots.map((root) => (
              <li key={root}>
                <code>{visibleText(root)}</code>
              </li>
            ))}
          </ul>
        )}
        <Button size="small" aria-describedby="roots-label" onClick={() => setIsOpen(true)}>
          {roots.length > 0 ? 'Change folders' : 'Choose folders'}
        </Button>
        <WarnText>
          {asked.roots && roots.length === 0
            ? `${name} asked for folders, but none are shared.`
            : undefined}
        </WarnText>
        <p className="above-1 soft small">
          Shared as MCP roots. This isn’t a sandbox: the server can access anything you can.
        </p>
      </div>
      {isOpen && <FoldersEditor server={server} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

/** Edits the folders that a server is told; the server hears of the change at once. */
function FoldersEditor({
  server: { installationId, name, roots },
  onClose,
}: {
  readonly server: ServerView
  readonly onClose: () => void
}): JSX.Element {
  const canPick = useApp(({ app }) => app?.info.canPickPath ?? false)
  return (
    <FoldersDialog
      title={`Folders of ${name}`}
      description={`Patchbay sends these folders to ${name} as MCP roots. Changes apply immediately.`}
      placeholder="/home/you/projects"
      folders={roots}
      pickFolder={canPick ? () => pickPath('folder') : undefined}
      onSave={(wanted) =>
        call('roots.set', { installationId, roots: wanted }).then(() => undefined, refusalWords)
      }
      onClose={onClose}
    />
  )
}
