import { useState } from 'react'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { HandProblem } from '../../../../src-shared/domain/installation/by-hand'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { isActive } from '../../../../src-shared/domain/running/run-status'
import { call, toErrorShape } from '../../../ipc/call'
import { useServer } from '../../../stores/app-store'
import { showToast } from '../../../ui/overlays/toast'
import { useNavigateFromHere } from '../editing/use-navigate-from-here'
import type { Submission, SubmitKind } from '../editing/use-submit'
import { budgetsOf } from '../values/limits'
import { type HandForm, madeOf } from './hand-form'
import type { HandQuestion, useHandPreview } from './use-hand-preview'

type SubmitOptions = {
  readonly form: HandForm
  readonly installationId: string | undefined
  readonly revision: string | undefined
  readonly board: ReturnType<typeof useHandPreview>
  /** What keeps it from being saved now. */
  readonly problems: readonly HandProblem[]
  /** Called when a try failed by problems. */
  readonly onProblems: () => void
  /** Called before the page is left; gives the place that the person asked for meanwhile. */
  readonly onDone: () => string | null
}

const NEWS: AppErrorShape = {
  code: 'CONSENT_REQUIRED',
  message: 'There is something to read before you approve.',
  hint: 'Read the warnings beside the form, then approve again.',
}
const IDLE = { busy: null, refusal: null } as const

/** The person typed the command, so that only a warning that was not on screen is new to them. */
function hasNews(shown: LaunchPreview | null, fresh: LaunchPreview): boolean {
  const seen = new Set(shown?.warnings)
  return fresh.warnings.some((warning) => !seen.has(warning))
}

/** Checks and sends the editor; an approval is bound to a preview of the very parts that are sent. */
export function useHandSubmit(options: SubmitOptions): Submission {
  const { form, installationId, revision, board, problems, onProblems, onDone } = options
  const [state, setState] = useState<Pick<Submission, 'busy' | 'refusal'>>(IDLE)
  const navigate = useNavigateFromHere()
  const server = useServer(installationId ?? '')
  const isRunning = server !== undefined && isActive(server.status)
  const shown = board.answer?.preview ?? null

  async function finish(kind: SubmitKind): Promise<void> {
    setState({ busy: kind, refusal: null })
    try {
      const question: HandQuestion = {
        made: madeOf(form),
        cwd: form.cwd.trim(),
        ...(installationId !== undefined && { installationId }),
      }
      const plan = kind === 'approve' ? (await board.refresh(question)).preview : null
      if (plan && hasNews(shown, plan)) {
        setState({ busy: null, refusal: NEWS })
        return
      }
      const saved = await call('byHand.save', {
        ...question,
        name: form.name.trim(),
        budgets: budgetsOf(form.limits),
        revision,
        approvedPlan: plan?.planHash,
        start: plan !== null,
      })
      const wanted = onDone()
      if (kind === 'save' && installationId !== undefined)
        showToast({
          message: `${form.name.trim()} is saved.${isRunning ? ' Restart it to use what changed.' : ''}`,
        })
      navigate(wanted ?? `/servers/${saved.installationId}`)
    } catch (thrown) {
      setState({ busy: null, refusal: toErrorShape(thrown) })
    }
  }

  function submit(kind: SubmitKind): void {
    if (state.busy !== null) return
    if (problems.length > 0) onProblems()
    else void finish(kind)
  }
  // With problems there is nothing to preview, and these say why nothing can be approved.
  const isUnseen = board.answer === null && board.problem === null && problems.length === 0
  return { ...state, isUnseen, isRunning, submit, dismiss: () => setState(IDLE) }
}
