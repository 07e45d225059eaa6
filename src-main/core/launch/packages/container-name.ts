import { randomBytes } from 'node:crypto'

import type { CommandPlan, PlannedArgument } from '../plan/launch-plan'
import { byRunner } from './runner'

/** What a preview shows in the place of the name, which is another one for each start. */
export const SHOWN_CONTAINER_NAME = 'patchbay-<random>'

/** A name for one container, so that it can be stopped by it; unlike any other. */
export function newContainerName(): string {
  return `patchbay-${randomBytes(6).toString('hex')}`
}

/** The argv of a plan with `--name` where it takes one. The name decides nothing, so no approval is bound to it. */
export function argsWithName(
  { args, containerNameAt }: Pick<CommandPlan, 'args' | 'containerNameAt'>,
  name: string,
): readonly PlannedArgument[] {
  return containerNameAt === undefined
    ? args
    : args.toSpliced(containerNameAt, 0, ...byRunner('--name', name))
}
