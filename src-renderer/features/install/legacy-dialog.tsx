import type { ReactElement } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { RequestOutput } from '../../../src-shared/ipc/contract'
import { call, toErrorShape } from '../../ipc/call'
import { Banner } from '../../ui/banner'
import { Button } from '../../ui/button'
import { CodeArea } from '../../ui/code-area'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { showToast } from '../../ui/toast'
import type { InstallFormApi } from './use-install-form'

type LegacyDialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly entryId: string
  readonly packageIndex: number
  /** A new copy can be added with the values as they are. */
  readonly isNew: boolean
  readonly form: InstallFormApi
  /** Called before the dialog leads to the server's page. */
  readonly onLeave: () => void
}

const EXAMPLE = '{"package_args": {"root": "/home/mara/notes,/home/mara/team"}}'

type Answer = RequestOutput<'installation.readLegacy'>

function answerText({ values, unknown }: Answer): string {
  const count = Object.keys(values).length
  const found = `${count} value${count === 1 ? '' : 's'} found.`
  if (unknown.length === 0) return found
  return `${found} This server has no field for ${unknown.join(', ')}; nothing was filled in for it.`
}

/** Reads an older configuration: fills the form with it, or adds the server with it as it is. */
export function LegacyDialog(props: LegacyDialogProps): ReactElement {
  const { open, onOpenChange, entryId, packageIndex, isNew, form, onLeave } = props
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [problem, setProblem] = useState<AppErrorShape | null>(null)
  const [busy, setBusy] = useState<'fill' | 'add' | null>(null)
  const [, navigate] = useLocation()

  async function read(): Promise<Answer> {
    const read = await call('installation.readLegacy', { entryId, packageIndex, text })
    setAnswer(read)
    return read
  }
  async function fill(): Promise<void> {
    const { values, unknown } = await read()
    for (const [key, value] of Object.entries(values))
      form.setValue(`values.${key}`, value, { shouldDirty: true })
    // With names set aside the dialog stays, so that they are read before it closes.
    if (unknown.length === 0 || answer !== null) onOpenChange(false)
  }
  async function addAsItIs(): Promise<void> {
    const { values } = await read()
    const { name } = form.getValues()
    const { installationId } = await call('installation.create', {
      entryId,
      packageIndex,
      name,
      values,
      start: true,
      asItIs: true,
    })
    onLeave()
    showToast({ message: `${name} is added with the values as they are.` })
    navigate(`/servers/${installationId}`)
  }
  async function run(kind: 'fill' | 'add', work: () => Promise<void>): Promise<void> {
    setBusy(kind)
    setProblem(null)
    try {
      await work()
    } catch (thrown) {
      setProblem(toErrorShape(thrown))
    } finally {
      setBusy(null)
    }
  }
  function change(next: string): void {
    setText(next)
    setAnswer(null)
    setProblem(null)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Paste values"
      description="An older configuration of this server. Text with commas becomes several values."
      actions={
        <>
          <Button size="form" onClick={() => onOpenChange(false)}>
            {answer === null ? 'Cancel' : 'Close'}
          </Button>
          {isNew ? (
            <Button size="form" busy={busy === 'add'} onClick={() => void run('add', addAsItIs)}>
              Add as it is
            </Button>
          ) : null}
          <Button
            size="form"
            variant="primary"
            busy={busy === 'fill'}
            onClick={() => void run('fill', fill)}
          >
            Fill the form
          </Button>
        </>
      }
    >
      <div className="dialog-stack">
        <Field
          id="legacy-text"
          label="Configuration"
          hint={
            <>
              Such as <code>{EXAMPLE}</code>
            </>
          }
          problem={problem?.message}
        >
          {(ids) => <CodeArea {...ids} autoFocus value={text} onValueChange={change} />}
        </Field>
        {problem?.hint === undefined ? null : <p className="soft">{problem.hint}</p>}
        {answer === null ? null : (
          <div role="status">
            <Banner severity={answer.unknown.length > 0 ? 'warn' : 'info'}>
              {answerText(answer)}
            </Banner>
          </div>
        )}
      </div>
    </Dialog>
  )
}
