import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { call, toErrorShape } from '../../../ipc/call'
import { pickPath } from '../../../ipc/pick-path'
import { useApp } from '../../../stores/app-store'
import { FoldersDialog } from '../../../ui/overlays/folders-dialog'
import { problemWords } from '../../../ui/text/problem-messages'

function refusalWords(thrown: unknown): string {
  return problemWords(toErrorShape(thrown))
}

/** Edits the folders that a server is told; the server hears of the change at once. */
export function RootsDialog({
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
