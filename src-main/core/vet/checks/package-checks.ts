import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import * as z from 'zod'

import { errorMessage } from '../../../../src-shared/domain/error-message'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import type { VetFinding } from '../../../../src-shared/domain/vet/vet-report'
import { type CopyContext, npxFolder } from '../../launch/repair/remove-copy'
import { queryProgram } from '../../launch/runners/ask-program'
import {
  type Check,
  type CheckContext,
  type CheckOutcome,
  flaw,
  found,
  notChecked,
  PASSED,
  type RunContext,
} from '../check'
import type { VetRun } from '../vet-run'

const ENTRY_SECTION =
  'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md'
const MAX_LOCK_BYTES = 32 * 1024 * 1024
const REQUEST_MS = 15_000
const SHOWN = 8

const Lock = z.object({
  packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })),
})
/** Output of `npm audit --json`: packages that are vulnerable themselves or by a dependency. */
const Audit = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.looseObject({
      ...{ name: z.string(), severity: z.string(), range: z.string().optional() },
      via: z.array(z.union([z.string(), z.looseObject({ title: z.string().optional() })])),
    }),
  ),
})
const NO_COPY = notChecked('Only packages that npx runs can be checked.')

export const PACKAGE_CHECKS: readonly Check[] = [
  {
    id: 'package.entry',
    level: 'should',
    title: 'Clients can use every part of the registry entry.',
    section: ENTRY_SECTION,
    run: ({ entry }) => {
      if (!entry.isListed) return notChecked('The server has no registry entry.')
      if (!entry.notices) return notChecked('The catalog doesn’t have this version of the entry.')
      return found(
        entry.notices
          .filter(({ code }) => code !== 'implied-variable')
          .map(({ path, message }) => ({
            message: path === '' ? message : `${path}: ${message}`,
            fix: 'Correct the server.json. Clients ignore what they can’t read.',
          })),
      )
    },
  },
  {
    id: 'package.version',
    level: 'should',
    title: 'The package is pinned to one version.',
    section: ENTRY_SECTION,
    run: ({ entry: { offer, isListed } }) => pinned(offer, isListed),
  },
  {
    id: 'package.install-scripts',
    level: 'note',
    title: 'No package runs a script when it is installed.',
    needs: ['running', 'process'],
    run: async (ctx) => {
      const place = npmPlaceOf(ctx.run)
      const folder = place && (await copyOf(place, ctx))
      if (folder === undefined) return NO_COPY
      const { packages } = await readLock(join(folder, 'node_modules/.package-lock.json'))
      const having = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
      if (having.length === 0) return PASSED
      const names = having.map(([path]) => path.replace(/^.*node_modules\//u, ''))
      return flaw({
        message: `${String(having.length)} of ${String(Object.keys(packages).length)} packages ${having.length === 1 ? 'runs' : 'run'} a script when installed: ${names.slice(0, SHOWN).join(', ')}.`,
        fix: 'Prefer dependencies without install scripts.',
      })
    },
  },
  {
    id: 'package.advisories',
    level: 'should',
    title: 'No package has a known vulnerability.',
    needs: ['running', 'process', 'advisories'],
    run: advisories,
  },
  {
    id: 'package.publishing',
    level: 'should',
    title: 'The version is published as the one before: with provenance, by a known maintainer.',
    section: 'https://docs.npmjs.com/generating-provenance-statements',
    isPending: true,
    needs: ['running', 'process'],
    run: publishing,
  },
]

const RANGE = /[\s^~*<>=|]|(?:^|\.)x(?:\.|$)|^latest$/iu

function pinned(offer: Offer, isListed: boolean): CheckOutcome {
  if (!isListed) return notChecked('The command is yours.')
  if (offer.kind === 'remote') return notChecked('The server runs on another computer.')
  const { registryType, identifier, version } = offer.pkg
  // A container is identified by tag or digest, a bundle by its hash.
  if (registryType === 'oci') {
    const tag = /:(?<tag>[^/:@]+)$/u.exec(identifier)?.groups?.tag ?? version
    if (identifier.includes('@sha256:') || (tag !== undefined && tag !== 'latest')) return PASSED
  } else if (registryType === 'mcpb' || (version !== undefined && !RANGE.test(version))) {
    return PASSED
  }
  return flaw({
    message: `${identifier} is not pinned (${version ?? 'no version'}): users run a version that nobody reviewed.`,
    fix: 'Name one exact version in the entry, and publish a new entry for each release.',
  })
}

/** The folder of the package and its dependencies in npx's cache. */
function copyOf(place: NpmPlace, { signal }: RunContext): Promise<string | undefined> {
  return npxFolder(place, place.entry.packages, { limitMs: REQUEST_MS, signal })
}

async function readLock(file: string): Promise<z.infer<typeof Lock>> {
  const { size } = await stat(file)
  if (size > MAX_LOCK_BYTES) throw new Error('The list of packages is too large.')
  return Lock.parse(JSON.parse(await readFile(file, 'utf8')))
}

async function advisories(ctx: RunContext): Promise<CheckOutcome> {
  const place = npmPlaceOf(ctx.run)
  const folder = place && (await copyOf(place, ctx))
  if (!place || folder === undefined) return NO_COPY
  const args = ['audit', '--omit=dev']
  const { vulnerabilities } = await fetchNpm({ ...place, cwd: folder }, args, Audit, ctx)
  // A package that only depends on a vulnerable one is no finding of its own.
  const own = Object.values(vulnerabilities).flatMap((one) => {
    const titles = one.via.flatMap((via) => (typeof via === 'string' ? [] : [via.title ?? '']))
    return titles.length === 0 ? [] : [{ ...one, titles }]
  })
  return found(
    own.map(({ name, severity, range = '', titles }) => ({
      message: `${name} ${range} has a known vulnerability (${severity}).`,
      received: titles.join('\n'),
      fix: `Update ${name}, and publish a new version.`,
    })),
  )
}

/** A person in npm's output: "ada <ada@example.com>", or an object. */
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

/** Publishing times by version. */
const Times = z.record(z.string(), z.string())
const NOT_A_VERSION = ['created', 'modified', 'unpublished']

/** Compares how a version was published with the previous one: most package takeovers lose provenance or have an unknown publisher. */
async function publishing(ctx: RunContext): Promise<CheckOutcome> {
  const { offer } = ctx.entry
  const place = npmPlaceOf(ctx.run)
  if (!place || offer.kind !== 'package' || offer.pkg.registryType !== 'npm')
    return notChecked('Only packages that npx runs can be checked.')
  const { identifier, version } = offer.pkg
  const times = await fetchNpm(place, ['view', identifier, 'time'], Times, ctx)
  if (version === undefined || times[version] === undefined)
    return notChecked('The package is not pinned to one version.')
  const earlier = versionBefore(times, version)
  if (earlier === undefined) return notChecked('The registry has no earlier version.')
  const spec = `${identifier}@${earlier} || ${version}`
  const fields = ['version', '_npmUser', 'maintainers', 'dist']
  const both = await fetchNpm(place, ['view', spec, ...fields], z.array(Version), ctx)
  const before = both.find((one) => one.version === earlier)
  const now = both.find((one) => one.version === version)
  if (!before || !now || !(hasPublisher(before) && hasPublisher(now)))
    return notChecked('The registry doesn’t say who published the versions.')
  return compared(before, now)
}

/** The version published before another one; a prerelease counts only before a prerelease. */
function versionBefore(times: z.infer<typeof Times>, version: string): string | undefined {
  const at = times[version] ?? ''
  const takesPrerelease = version.includes('-')
  return Object.entries(times)
    .filter(([name, time]) => Date.parse(time) < Date.parse(at) && !NOT_A_VERSION.includes(name))
    .filter(([name]) => takesPrerelease || !name.includes('-'))
    .toSorted(([, one], [, other]) => Date.parse(other) - Date.parse(one))
    .at(0)?.[0]
}

function hasPublisher({ _npmUser, dist }: Version): boolean {
  return _npmUser !== undefined || dist.attestations !== undefined
}

function compared(before: Version, now: Version): CheckOutcome {
  const hasProvenance = now.dist.attestations !== undefined
  const isLost = !hasProvenance && before.dist.attestations !== undefined
  const publisher = now._npmUser
  const known = [before._npmUser, ...before.maintainers]
  // Provenance names the repository and workflow, whatever the workflow's account.
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

/** Time limit of one npm call, in ms. */
const NPM_MS = 60_000
const MAX_LINES = 500_000

/** A package run by npx, as requested from npx. */
type NpmPlace = CopyContext & {
  readonly entry: Extract<CopyContext['entry'], { runner: 'npx' }>
}

/** Undefined unless npx runs the server's package. */
function npmPlaceOf({ launch }: VetRun): NpmPlace | undefined {
  const place = launch.kind === 'command' ? launch.copy?.place : undefined
  if (place?.entry.runner !== 'npx') return undefined
  return { ...place, entry: place.entry }
}

/** Asks npm with the package's registry. Rejects if the answer has another form. */
async function fetchNpm<T>(
  { runner, env, cwd, processLedger }: NpmPlace,
  command: readonly string[],
  schema: z.ZodType<T>,
  { entry: { offer }, signal }: CheckContext,
): Promise<T> {
  const npm = join(dirname(runner), process.platform === 'win32' ? 'npm.cmd' : 'npm')
  const base = offer.kind === 'package' ? offer.pkg.registryBaseUrl : undefined
  // A warning would break the JSON output.
  const args = [...command, '--json', '--loglevel=silent', ...(base ? [`--registry=${base}`] : [])]
  const answer = await queryProgram(
    { command: npm, args, env, cwd, processLedger },
    NPM_MS,
    signal,
    MAX_LINES,
  )
  if (answer.kind !== 'answered') throw noAnswer(args, 'It didn’t answer.')
  try {
    return schema.parse(JSON.parse(answer.text))
  } catch (error) {
    throw noAnswer(args, errorMessage(error))
  }
}

function noAnswer([name = '']: readonly string[], cause: string): Error {
  const message = `npm ${name} has no answer. The package registry may be out of reach, or doesn’t support it.`
  return new Error(message, { cause })
}
