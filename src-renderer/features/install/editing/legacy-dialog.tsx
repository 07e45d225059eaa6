import type { ReactElement } from 'react'

import { Button } from '../../../ui/controls/button'
import { CodeArea } from '../../../ui/fields/code-area'
import { Field } from '../../../ui/fields/field'
import { Banner } from '../../../ui/layout/banner'
import { Dialog } from '../../../ui/overlays/dialog'
import { counted } from '../../../ui/text/format'
import type { EntrySubject } from './install-subject'
import type { InstallFormApi } from './use-install-form'
import type { LegacyAnswer } from './use-legacy'
import { useLegacy } from './use-legacy'

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
