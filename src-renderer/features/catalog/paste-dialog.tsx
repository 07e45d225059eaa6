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
import { setupPath } from './entry-detail'
import { entryObstacle, entryTitle, preferredPackage } from './entry-facts'

type PasteDialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** Called with an entry that was read and cannot be set up. */
  readonly onRead: (entry: CatalogEntry) => void
}

function ReadEntry({ entry }: { readonly entry: CatalogEntry }): ReactElement {
  const obstacle = entryObstacle(entry.server)
  return (
    <div role="status">
      <Banner
        severity={obstacle === undefined ? 'warn' : 'error'}
        title={obstacle ?? `${entryTitle(entry.server)} is read.`}
      >
        {entry.notices.length > 0 ? 'Some of it was set aside:' : null}
      </Banner>
      <ul className="notices">
        {entry.notices.slice(0, 50).map(({ path, message }, index) => (
          <li key={index}>
            set aside: <code>{path}</code>: {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Takes a server.json as text, says what was set aside, and leads to its form. */
export function PasteDialog({ open, onOpenChange, onRead }: PasteDialogProps): ReactElement {
  const [text, setText] = useState('')
  const [entry, setEntry] = useState<CatalogEntry | null>(null)
  const [problem, setProblem] = useState<AppErrorShape | null>(null)
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()

  function goOn(read: CatalogEntry): void {
    navigate(setupPath(read.entryId, preferredPackage(read.server)))
  }
  async function read(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const pasted = await call('catalog.paste', { text })
      onRead(pasted)
      if (pasted.notices.length === 0 && entryObstacle(pasted.server) === undefined) goOn(pasted)
      else setEntry(pasted)
    } catch (thrown) {
      setProblem(toErrorShape(thrown))
    } finally {
      setBusy(false)
    }
  }
  const usable = entry !== null && entryObstacle(entry.server) === undefined

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Paste server.json"
      description="The description of a server as its publisher gives it. Nothing is run."
      actions={
        <>
          <Button size="form" onClick={() => onOpenChange(false)}>
            {entry === null ? 'Cancel' : 'Close'}
          </Button>
          {usable ? (
            <Button size="form" variant="primary" onClick={() => goOn(entry)}>
              Set up
            </Button>
          ) : (
            <Button size="form" variant="primary" busy={busy} onClick={() => void read()}>
              Read it
            </Button>
          )}
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
              onValueChange={(next) => {
                setText(next)
                setEntry(null)
                setProblem(null)
              }}
            />
          )}
        </Field>
        {problem?.hint === undefined ? null : <p className="soft">{problem.hint}</p>}
        {entry === null ? null : <ReadEntry entry={entry} />}
      </div>
    </Dialog>
  )
}
