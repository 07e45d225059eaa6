import { type ReactElement, useState } from 'react'
import { useLocation } from 'wouter'

import type { RequestOutput } from '../../../../src-shared/ipc/contract'
import { call } from '../../../ipc/call'
import { useAction } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { CodeArea, Field } from '../../../ui/fields/field'
import { Banner } from '../../../ui/layout/page'
import { Dialog } from '../../../ui/overlays/dialog'
import { counted } from '../../../ui/text/format'
import type { EntrySubject } from './install-subject'
import type { InstallFormApi } from './use-install-form'

type LegacyDialogProps = {
  readonly onClose: () => void
  readonly subject: EntrySubject
  readonly form: InstallFormApi
  readonly onLeave: () => void
}

type LegacyAnswer = RequestOutput<'installation.readLegacy'>

const EXAMPLE = '{"package_args": {"root": "/home/mara/notes,/home/mara/team"}}'

function answerText({ values, unknown }: LegacyAnswer): string {
  const count = Object.keys(values).length
  const found = `${counted(count, 'value')} found.`
  if (unknown.length === 0) return found
  return `${found} Ignored because this server has no such field: ${unknown.join(', ')}.`
}

/** Reads an older configuration: fills the form with it, or adds the server with it as it is. */
export function LegacyDialog({ onClose, subject, form, onLeave }: LegacyDialogProps): ReactElement {
  const { of } = subject
  const isNew = subject.installationId === undefined
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState<LegacyAnswer | null>(null)
  const { run, clear, busyWith, problem } = useAction(async (use: 'fill' | 'add') => {
    setAnswer(null)
    const read = await call('installation.readLegacy', { of, text })
    if (use === 'fill') fill(read)
    else if ('entryId' in of) {
      const { name } = form.getValues()
      const made = { ...of, name, values: read.values, start: true, asItIs: true }
      const { installationId } = await call('installation.create', made)
      onLeave()
      navigate(`/servers/${installationId}`)
    }
  })
  function fill(read: LegacyAnswer): void {
    setAnswer(read)
    for (const [key, value] of Object.entries(read.values))
      form.setValue(`values.${key}`, value, { shouldDirty: true })
    // With names ignored the dialog stays, so that they are read.
    if (read.unknown.length === 0) onClose()
  }
  function change(next: string): void {
    setText(next)
    setAnswer(null)
    clear()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Paste values"
      description="Paste an older configuration of this server. Comma-separated text becomes several values."
      actions={
        <>
          <Button size="form" onClick={onClose}>
            {answer === null ? 'Cancel' : 'Close'}
          </Button>
          {isNew && (
            <Button size="form" busy={busyWith === 'add'} onClick={() => run('add')}>
              Add as is
            </Button>
          )}
          <Button
            size="form"
            variant="primary"
            busy={busyWith === 'fill'}
            onClick={() => run('fill')}
          >
            Fill form
          </Button>
        </>
      }
    >
      <div className="mt-4 grid gap-3">
        <Field id="legacy-text" label="Configuration" problem={problem?.message}>
          {(ids) => (
            <CodeArea
              {...ids}
              autoFocus
              placeholder={EXAMPLE}
              value={text}
              onValueChange={change}
            />
          )}
        </Field>
        {problem?.hint === undefined ? null : <p>{problem.hint}</p>}
        {answer && (
          <Banner role="status" severity={answer.unknown.length > 0 ? 'warn' : 'info'}>
            {answerText(answer)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
