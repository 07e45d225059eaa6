import { randomBytes } from 'node:crypto'

import type { CommandPlan, PlannedArgument, PlannedContainer } from '../plan/launch-plan'
import { byRunner } from './runner'

/** What a preview shows in the place of the name, which is another one for each start. */
export const SHOWN_CONTAINER_NAME = 'patchbay-<random>'

type NamedPlan = Pick<CommandPlan, 'args' | 'container'>

/** A name for one container, so that it can be stopped by it; unlike any other. Undefined where the plan takes none. */
export function newContainerName({ container }: NamedPlan): string | undefined {
  return takesName(container) ? `patchbay-${randomBytes(6).toString('hex')}` : undefined
}

/** The argv of a plan with `--name` where it takes one. The name decides nothing, so no approval is bound to it. */
export function argsWithName(
  { args, container }: NamedPlan,
  name: string,
): readonly PlannedArgument[] {
  return takesName(container)
    ? args.toSpliced(container.optionsAt, 0, ...byRunner('--name', name))
    : args
}

function takesName(container: CommandPlan['container']): container is PlannedContainer {
  return container !== undefined && !container.isNamed
}
