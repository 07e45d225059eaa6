import { TrialRequest } from '../../../src-shared/domain/agents/trial'
import { AppError } from '../../../src-shared/domain/app-error'
import type { Traffic } from '../../core/traffic/traffic'
import type { Trials } from '../../core/trials/trials'
import type { Handlers } from '../answer'

export type TrialParts = { readonly trials: Trials; readonly traffic: Traffic }

/** Answers what a person tries of servers, and what was said between them and Patchbay. */
export function trialHandlers({
  trials,
  traffic,
}: TrialParts): Pick<Handlers, Extract<keyof Handlers, `trial.${string}` | `traffic.${string}`>> {
  return {
    'trial.run': (asked) => trials.run(asked),
    'trial.cancel': ({ trialId }) => trials.cancel(trialId),
    'trial.history': (asked) => trials.history(asked),
    'trial.clear': ({ installationId }) => trials.clear(installationId),
    'trial.text': (asked) => trials.text(asked),
    'trial.complete': (asked) => trials.complete(asked),
    'trial.watch': (asked) => trials.watch(asked),
    'traffic.read': (asked) => traffic.read(asked),
    'traffic.find': (asked) => traffic.find(asked),
    'traffic.text': (asked) => traffic.text(asked),
    'traffic.export': (asked) => traffic.export(asked),
    'traffic.clear': ({ installationId }) => traffic.clear(installationId),
    'traffic.replay': ({ installationId, seq, trialId }) => {
      const request = TrialRequest.safeParse(traffic.requestOf(installationId, seq))
      if (!request.success)
        throw new AppError('INVALID_REQUEST', 'This message can’t be sent again.', {
          hint: 'Only tool calls, resource reads, and prompts can be sent again.',
        })
      return trials.run({ installationId, trialId, request: request.data })
    },
  }
}
