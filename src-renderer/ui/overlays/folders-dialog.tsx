import type { JSX, SyntheticEvent } from 'react'
import { useId, useState } from 'react'

import { Button } from '../controls/button'
import { GroupField } from '../fields/field'
import { ListEditor } from '../fields/list-editor'
import { Dialog } from './dialog'

type Saving = {
  readonly isBusy: boolean
  readonly problem: string | undefined
  readonly save: (typed: readonly string[]) => void
}

function useSaving({ onSave, onClose }: Pick<FoldersDialogProps, 'onSave' | 'onClose'>): Saving {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const save = async (typed: readonly string[]): Promise<void> => {
    setIsBusy(true)
    const found = await onSave(typed.map((path) => path.trim()).filter((path) => path !== ''))
    if (found === undefined) {
      onClose()
      return
    }
    setProblem(found)
    setIsBusy(false)
  }
  return { isBusy, problem, save: (typed) => void (isBusy || save(typed)) }
}

type FoldersDialogProps = {
  readonly title: string
  readonly description: string
  readonly placeholder: string
  readonly folders: readonly string[]
  /** The system's own dialog, where there is one. */
  readonly pickFolder: (() => Promise<string | null>) | undefined
  /** Gets what is typed, without empty ones; resolves to what is wrong, or undefined. */
  readonly onSave: (folders: string[]) => Promise<string | undefined>
  readonly onClose: () => void
}

/** Edits a list of folders; it closes once they are saved. */
export function FoldersDialog({
  title,
  description,
  placeholder,
  folders,
  pickFolder,
  onSave,
  onClose,
}: FoldersDialogProps): JSX.Element {
  const id = useId()
  const [typed, setTyped] = useState<readonly string[]>(folders)
  const { isBusy, problem, save } = useSaving({ onSave, onClose })
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    save(typed)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      actions={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={id} busy={isBusy}>
            Save folders
          </Button>
        </>
      }
    >
      <form id={id} className="stack gap-3 above-4" noValidate onSubmit={submit}>
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
            listProblem={problem}
            pickPath={pickFolder}
          />
        </GroupField>
      </form>
    </Dialog>
  )
}
