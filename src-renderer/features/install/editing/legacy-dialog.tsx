import { type ReactElement, useState } from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { RequestOutput } from '../../../../src-shared/ipc/contract'
import { call, toErrorShape } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { Field } from '../../../ui/fields/field'
import { CodeArea } from '../../../ui/fields/text-input'
import { Banner } from '../../../ui/layout/banner'
import { Dialog } from '../../../ui/overlays/dialog'
import { counted } from '../../../ui/text/format'
import type { EntrySubject } from './install-subject'
import type { InstallFormApi } from './use-install-form'

type LegacyDialogProps = {
  readonly onClose: () => void
  readonly subject: EntrySubject
  readonly form: InstallFormApi
  /** Called before the dialog leads to the server's page. */
  readonly onLeave: () => void
}

const EXAMPLE = '{"package_args": {"root": "/home/mara/notes,/home/mara/team"}}'

function answerText({ values, unknown }: LegacyAnswer): string {
  const count = Object.keys(values).length
  const found = `${counted(count, 'value')} found.`
  if (unknown.length === 0) return found
  return `${found} Ignored because this server has no such field: ${unknown.join(', ')}.`
}

/** Reads an older configuration: fills the form with it, or adds the server with it as it is. */
export function LegacyDialog(props: LegacyDialogProps): ReactElement {
  const { onClose, subject } = props
  const { text, answer, problem, busy, change, use } = useLegacy(props)
  const isNew = subject.installationId === undefined
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
            <Button size="form" busy={busy === 'add'} onClick={() => use('add')}>
              Add as is
            </Button>
          )}
          <Button size="form" variant="primary" busy={busy === 'fill'} onClick={() => use('fill')}>
            Fill form
          </Button>
        </>
      }
    >
      <div className="stack gap-3 above-4">
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

/** What was read of an older configuration. */
type LegacyAnswer = RequestOutput<'installation.readLegacy'>

/** The two uses of an older configuration. */
type LegacyUse = 'fill' | 'add'

type LegacyState = {
  readonly text: string
  readonly answer: LegacyAnswer | null
  readonly problem: AppErrorShape | null
  readonly busy: LegacyUse | null
}

/** Reads a pasted older configuration, and fills the form with it or adds the server as it is. */
function useLegacy(options: {
  readonly subject: EntrySubject
  readonly form: InstallFormApi
  readonly onClose: () => void
  /** Called before the page is left. */
  readonly onLeave: () => void
}): LegacyState & {
  readonly change: (text: string) => void
  readonly use: (use: LegacyUse) => void
} {
  const { subject, form, onClose, onLeave } = options
  const { of } = subject
  const [state, setState] = useState<LegacyState>({
    text: '',
    answer: null,
    problem: null,
    busy: null,
  })
  const [, navigate] = useLocation()

  function fill({ values, unknown }: LegacyAnswer): void {
    for (const [key, value] of Object.entries(values))
      form.setValue(`values.${key}`, value, { shouldDirty: true })
    // With names set aside the dialog stays, so that they are read.
    if (unknown.length === 0) onClose()
  }
  async function add({ values }: LegacyAnswer): Promise<void> {
    if (!('entryId' in of)) return
    const { name } = form.getValues()
    const { installationId } = await call('installation.create', {
      ...of,
      name,
      values,
      start: true,
      asItIs: true,
    })
    onLeave()
    navigate(`/servers/${installationId}`)
  }
  async function work(use: LegacyUse): Promise<void> {
    const { text } = state
    setState({ text, answer: null, problem: null, busy: use })
    try {
      const answer = await call('installation.readLegacy', { of, text })
      setState({ text, answer, problem: null, busy: null })
      if (use === 'fill') fill(answer)
      else await add(answer)
    } catch (thrown) {
      setState({ text, answer: null, problem: toErrorShape(thrown), busy: null })
    }
  }
  return {
    ...state,
    change: (text) => setState({ text, answer: null, problem: null, busy: null }),
    use: (use) => void work(use),
  }
}
