import type { ReactElement } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { call, toErrorShape } from '../../ipc/call'
import { Banner } from '../../ui/banner'
import { Button } from '../../ui/button'
import { CodeArea } from '../../ui/code-area'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { entryObstacle, entryTitle, preferredPackage, setupPath } from './entry-facts'
import { NoticeList } from './notice-list'

type PasteState = {
  readonly text: string
  readonly busy: boolean
  readonly entry: CatalogEntry | null
  readonly problem: AppErrorShape | null
}

function ReadEntry({ entry }: { readonly entry: CatalogEntry }): ReactElement {
  const obstacle = entryObstacle(entry.server)
  const count = entry.notices.length
  return (
    <div role="status">
      <Banner
        severity={obstacle === undefined ? 'warn' : 'error'}
        title={obstacle ?? `${entryTitle(entry.server)} is read.`}
      >
        {count === 0 ? null : `${count} part${count === 1 ? ' was' : 's were'} set aside.`}
      </Banner>
      <NoticeList notices={entry.notices} />
    </div>
  )
}

/** Reads pasted text as an entry; one without notices or obstacle leads straight to its form. */
function usePaste(onRead: (entry: CatalogEntry) => void): PasteState & {
  readonly change: (text: string) => void
  readonly read: () => void
  readonly goOn: (entry: CatalogEntry) => void
} {
  const [state, setState] = useState<PasteState>({
    text: '',
    busy: false,
    entry: null,
    problem: null,
  })
  const [, navigate] = useLocation()
  const goOn = ({ entryId, server }: CatalogEntry): void =>
    navigate(setupPath(entryId, preferredPackage(server)))

  async function work(): Promise<void> {
    const { text } = state
    setState({ text, busy: true, entry: null, problem: null })
    try {
      const entry = await call('catalog.paste', { text })
      setState({ text, busy: false, entry, problem: null })
      onRead(entry)
      if (entry.notices.length === 0 && entryObstacle(entry.server) === undefined) goOn(entry)
    } catch (thrown) {
      setState({ text, busy: false, entry: null, problem: toErrorShape(thrown) })
    }
  }
  return {
    ...state,
    change: (text) => setState({ text, busy: false, entry: null, problem: null }),
    read: () => void work(),
    goOn,
  }
}

/** Takes a server.json as text, says what was set aside, and leads to its form. */
export function PasteDialog(props: {
  readonly onClose: () => void
  /** Called with every entry that was read. */
  readonly onRead: (entry: CatalogEntry) => void
}): ReactElement {
  const { onClose, onRead } = props
  const { text, busy, entry, problem, change, read, goOn } = usePaste(onRead)
  const isUsable = entry !== null && entryObstacle(entry.server) === undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Paste server.json"
      description="The description of a server as its publisher gives it. Nothing is run."
      actions={
        <>
          <Button size="form" onClick={onClose}>
            {entry === null ? 'Cancel' : 'Close'}
          </Button>
          <Button
            size="form"
            variant="primary"
            busy={busy}
            onClick={() => (isUsable ? goOn(entry) : read())}
          >
            {isUsable ? 'Set up' : 'Read it'}
          </Button>
        </>
      }
    >
      <div className="dialog-stack">
        <Field id="server-json" label="server.json" problem={problem?.message}>
          {(ids) => (
            <CodeArea
              {...ids}
              autoFocus
              placeholder='{"name": "io.github.owner/server", "packages": []}'
              value={text}
              onValueChange={change}
            />
          )}
        </Field>
        {problem?.hint === undefined ? null : <p>{problem.hint}</p>}
        {entry === null ? null : <ReadEntry entry={entry} />}
      </div>
    </Dialog>
  )
}
