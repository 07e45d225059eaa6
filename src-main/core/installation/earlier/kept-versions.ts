import { randomUUID } from 'node:crypto'

import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { placesOfKind } from '../../../../src-shared/domain/installation/secret-place'

/** Most characters that the earlier versions of one installation take in the settings file, which is written whole. */
const MOST_CHARACTERS = 1_000_000

/** What is kept of an installation when it is moved to another version. */
export function leftBehind(installation: Installation, replacedAt: number): EarlierVersion {
  const { installationId, source, sourceId, server, offer, proposed } = installation
  const { values, secrets, budgets, cwd, approvedPlan } = installation
  return {
    ...{ installationId, source, sourceId, server, offer, proposed },
    ...{ values, secrets, budgets, cwd, approvedPlan },
    ...{ versionKey: randomUUID(), replacedAt },
  }
}

/** What an installation gets back of an earlier version; where its secrets are is another matter. */
export function broughtBack(version: EarlierVersion): Partial<Installation> {
  const { source, sourceId, server, offer, proposed, values, budgets, cwd, approvedPlan } = version
  return { source, sourceId, server, offer, proposed, values, budgets, cwd, approvedPlan }
}

/** Those of one installation that stay, newest first: as many as are wanted and as fit. */
export function bounded(
  versions: readonly EarlierVersion[],
  most: number,
): readonly EarlierVersion[] {
  const stay: EarlierVersion[] = []
  let room = MOST_CHARACTERS
  for (const version of versions.slice(0, most)) {
    room -= JSON.stringify(version).length
    if (room < 0) break
    stay.push(version)
  }
  return stay
}

/** Whether an older one says no more than the one that was left last: it is the same version, and has no secret that this has not. */
export function isDouble(older: EarlierVersion, last: EarlierVersion): boolean {
  const textOf = ({ server, offer }: EarlierVersion): string => JSON.stringify([server, offer])
  const kept = Object.keys(placesOfKind(older.secrets, 'kept'))
  return kept.every((key) => Object.hasOwn(last.secrets, key)) && textOf(older) === textOf(last)
}
