import * as z from 'zod'

import type { VetFinding } from '../../../../src-shared/domain/vet/vet-report'
import { type CheckOutcome, notChecked, PASSED, type RunContext } from '../check'
import { askNpm, npmPlaceOf } from '../npm-facts'

/** A person in what npm prints: "ada <ada@example.com>", or an object. */
const Person = z.union([
  z.string().transform((text) => text.replace(/ <.*$/u, '')),
  z.object({ name: z.string() }).transform(({ name }) => name),
])
const Version = z.looseObject({
  version: z.string(),
  _npmUser: Person.optional().catch(undefined),
  maintainers: z.array(Person).catch([]),
  dist: z.looseObject({ attestations: z.looseObject({}).optional() }).catch({}),
})
type Version = z.infer<typeof Version>

/** When each version was published. */
const Times = z.record(z.string(), z.string())
const NOT_A_VERSION = ['created', 'modified', 'unpublished']

/**
 * Compares how a version was published with the one before: lost provenance and an unknown publisher are how most
 * packages were taken over.
 */
export async function publishing(ctx: RunContext): Promise<CheckOutcome> {
  const { offer } = ctx.entry
  const place = npmPlaceOf(ctx.run)
  if (!place || offer.kind !== 'package' || offer.pkg.registryType !== 'npm')
    return notChecked('Only packages that npx runs can be checked.')
  const { identifier, version } = offer.pkg
  const times = await askNpm(place, ['view', identifier, 'time'], Times, ctx)
  if (version === undefined || times[version] === undefined)
    return notChecked('The package is not pinned to one version.')
  const earlier = versionBefore(times, version)
  if (earlier === undefined) return notChecked('The registry has no earlier version.')
  const spec = `${identifier}@${earlier} || ${version}`
  const fields = ['version', '_npmUser', 'maintainers', 'dist']
  const both = await askNpm(place, ['view', spec, ...fields], z.array(Version), ctx)
  const before = both.find((one) => one.version === earlier)
  const now = both.find((one) => one.version === version)
  if (!before || !now || !(isTold(before) && isTold(now)))
    return notChecked('The registry doesn’t say who published the versions.')
  return compared(before, now)
}

/** The version that was published last before another one; a prerelease only before a prerelease. */
function versionBefore(times: z.infer<typeof Times>, version: string): string | undefined {
  const at = times[version] ?? ''
  const takesPrerelease = version.includes('-')
  return Object.entries(times)
    .filter(([name, time]) => Date.parse(time) < Date.parse(at) && !NOT_A_VERSION.includes(name))
    .filter(([name]) => takesPrerelease || !name.includes('-'))
    .toSorted(([, one], [, other]) => Date.parse(other) - Date.parse(one))
    .at(0)?.[0]
}

function isTold({ _npmUser, dist }: Version): boolean {
  return _npmUser !== undefined || dist.attestations !== undefined
}

function compared(before: Version, now: Version): CheckOutcome {
  const hasProvenance = now.dist.attestations !== undefined
  const isLost = !hasProvenance && before.dist.attestations !== undefined
  const publisher = now._npmUser
  const known = [before._npmUser, ...before.maintainers]
  // Provenance names the repository and workflow, whatever account the workflow has.
  const isUnknown = publisher !== undefined && !hasProvenance && !known.includes(publisher)
  const findings: VetFinding[] = []
  if (isLost)
    findings.push({
      message: `${now.version} has no provenance, although ${before.version} has it: nothing shows that it was built from its repository.`,
      fix: 'Publish from the workflow that published before, with provenance.',
    })
  if (isUnknown)
    findings.push({
      message: `${now.version} was published by ${publisher}, who was no maintainer of ${before.version}.`,
      received: `Maintainers of ${before.version}: ${before.maintainers.join(', ') || 'none'}`,
      fix: 'Say in the release notes who publishes from now on.',
    })
  if (findings.length === 0) return PASSED
  return { kind: 'found', level: isLost ? 'should' : 'note', findings }
}
