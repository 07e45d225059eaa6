import { type ComponentProps, type JSX, useState } from 'react'

import { GroupField } from '../fields/field'
import { ListEditor } from '../fields/list-editor'
import { FormDialog, type Problems } from './dialog'

/** Edits a list of folders; it closes after saving. */
export function FoldersDialog(
  props: Pick<ComponentProps<typeof FormDialog>, 'title' | 'description' | 'onClose'> & {
    readonly placeholder: string
    readonly folders: readonly string[]
    /** The system's own dialog, if there is one. */
    readonly pickFolder: (() => Promise<string | null>) | undefined
    /** Receives the typed folders without empty ones; resolves to the problem, or undefined. */
    readonly onSave: (folders: string[]) => Promise<string | undefined>
  },
): JSX.Element {
  const { title, description, placeholder, folders, pickFolder, onSave, onClose } = props
  const [typed, setTyped] = useState<readonly string[]>(folders)
  const save = async (): Promise<Problems> => {
    const found = await onSave(typed.map((path) => path.trim()).filter((path) => path !== ''))
    if (found === undefined) onClose()
    return { 'folders-0': found }
  }
  return (
    <FormDialog {...{ title, description, onClose }} submitLabel="Save folders" onSubmit={save}>
      {({ id, problems }) => (
        <GroupField id={`${id}-folders`} label="Folders">
          <ListEditor
            id={`${id}-folders`}
            label="Folder"
            value={typed}
            onValueChange={setTyped}
            kind="path"
            addLabel="Add folder"
            placeholder={placeholder}
            required={false}
            hasHint={false}
            problems={[]}
            listProblem={problems['folders-0']}
            pickPath={pickFolder}
          />
        </GroupField>
      )}
    </FormDialog>
  )
}
