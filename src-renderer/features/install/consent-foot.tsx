import { ShieldCheck } from 'lucide-react'
import type { ReactElement } from 'react'

import { Banner } from '../../ui/banner'
import { Button } from '../../ui/button'
import { ProblemText } from '../../ui/problem-text'
import type { KnownProblem } from './field-places'
import { focusControl } from './field-places'
import type { Submission } from './use-submit'

type ConsentFootProps = {
  readonly isNew: boolean
  readonly submission: Submission
  readonly problems: readonly KnownProblem[]
}

/** What approving means, why it is not possible yet, and the two ways on. */
export function ConsentFoot({ isNew, submission, problems }: ConsentFootProps): ReactElement {
  const { busy, refusal, isUnseen, isRunning, submit, dismiss } = submission
  const [first] = problems
  return (
    <div className="consent-area">
      {refusal ? (
        <div className="consent-refusal" role="alert">
          <Banner severity="error" title={refusal.message} onDismiss={dismiss}>
            {refusal.hint}
          </Banner>
        </div>
      ) : null}
      <section className="consent" aria-label="Consent">
        <ShieldCheck className="icon icon-l" aria-hidden />
        <div className="grow">
          <p>
            <b>Patchbay will run exactly this command, with your account&apos;s rights.</b>
          </p>
          {first ? (
            <ProblemText id="why-not" alert={false}>
              Correct{' '}
              <button
                type="button"
                className="text-link"
                onClick={() => focusControl(first.elementId)}
              >
                {first.label}
              </button>
              {problems.length > 1 ? ` and ${problems.length - 1} more` : ''} before you approve.
            </ProblemText>
          ) : null}
        </div>
        <Button size="form" busy={busy === 'save'} onClick={() => submit('save')}>
          {isNew ? 'Save for later' : 'Save'}
        </Button>
        <Button
          size="form"
          variant="primary"
          busy={busy === 'approve'}
          aria-disabled={isUnseen || first !== undefined || undefined}
          aria-describedby={first ? 'why-not' : undefined}
          aria-keyshortcuts="Control+Enter"
          onClick={() => submit('approve')}
        >
          {isRunning ? 'Approve and restart' : 'Approve and start'}
        </Button>
      </section>
    </div>
  )
}
