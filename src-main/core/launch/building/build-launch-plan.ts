import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import type { LaunchPlan } from '../plan/launch-plan'
import { buildCommandPlan } from './build-command-plan'
import { buildRemotePlan } from './build-remote-plan'

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
