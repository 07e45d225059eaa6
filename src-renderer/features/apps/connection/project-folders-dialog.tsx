import type { JSX } from 'react'

import { refusalWords } from '../../../components/app/ask'
import { call } from '../../../ipc/call'
import { pickPath } from '../../../ipc/pick-path'
import { useApp } from '../../../stores/app-store'
import { FoldersDialog } from '../../../ui/overlays/folders-dialog'

/** Adds and removes project folders until they are the wanted ones. */
async function saveFolders(now: readonly string[], wanted: readonly string[]): Promise<void> {
  for (const path of now) if (!wanted.includes(path)) await call('hosts.removeFolder', { path })
  for (const path of wanted) if (!now.includes(path)) await call('hosts.addFolder', { path })
}

/** Edits the project folders that are searched for config files. */
export function ProjectFoldersDialog({
  folders,
  onClose,
}: {
  readonly folders: readonly string[]
  readonly onClose: () => void
}): JSX.Element {
  const canPick = useApp(({ app }) => app?.info.canPickPath ?? false)
  return (
    <FoldersDialog
      title="Project folders"
      description="Some apps also read a file in the open project, such as .mcp.json. Patchbay looks for these files only in the folders listed here."
      placeholder="/home/you/projects/thing"
      folders={folders}
      pickFolder={canPick ? () => pickPath('folder') : undefined}
      onSave={(wanted) => saveFolders(folders, wanted).then(() => undefined, refusalWords)}
      onClose={onClose}
    />
  )
}
