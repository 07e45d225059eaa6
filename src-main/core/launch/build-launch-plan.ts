import type { FieldValues } from '../../../src-shared/domain/field-values'
import type { Offer } from '../../../src-shared/domain/offer'
import { buildCommandPlan } from './build-command-plan'
import { buildRemotePlan } from './build-remote-plan'
import type { LaunchPlan } from './launch-plan'

/** What an offer becomes with the person's values, see `buildCommandPlan` and `buildRemotePlan`. Throws UNSUPPORTED_PACKAGE. */
export function buildLaunchPlan(
  offer: Offer,
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): LaunchPlan {
  return offer.kind === 'package'
    ? buildCommandPlan(offer.pkg, values, secrets)
    : buildRemotePlan(offer.remote, values, secrets)
}
