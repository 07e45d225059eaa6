import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import * as z from 'zod'

import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import { npxFolder } from '../../launch/repair/remove-copy'
import { type Check, type CheckOutcome, found, notChecked, PASSED, type RunContext } from '../check'
import { askNpm, type NpmPlace, npmPlaceOf } from '../npm-facts'
import { publishing } from './publishing-check'

const ENTRY_SECTION =
  'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md'
const MOST_LOCK_BYTES = 32 * 1024 * 1024
const ASK_MS = 15_000
const SHOWN = 8

const Lock = z.object({
  packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })),
})
/** What `npm audit --json` prints: the packages that are vulnerable in themselves, or by what they depend on. */
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
      return found([
        {
          message: `${String(having.length)} of ${String(Object.keys(packages).length)} packages ${having.length === 1 ? 'runs' : 'run'} a script when installed: ${names.slice(0, SHOWN).join(', ')}.`,
          fix: 'Prefer dependencies without install scripts.',
        },
      ])
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

function pinned(offer: Offer, isListed: boolean): ReturnType<typeof found> {
  if (!isListed) return notChecked('The command is yours.')
  if (offer.kind === 'remote') return notChecked('The server runs on another computer.')
  const { registryType, identifier, version } = offer.pkg
  // A container is named by tag or digest, a bundle by its hash.
  if (registryType === 'oci') {
    const tag = /:(?<tag>[^/:@]+)$/u.exec(identifier)?.groups?.tag ?? version
    if (identifier.includes('@sha256:') || (tag !== undefined && tag !== 'latest')) return PASSED
  } else if (registryType === 'mcpb' || (version !== undefined && !RANGE.test(version))) {
    return PASSED
  }
  return found([
    {
      message: `${identifier} is not pinned (${version ?? 'no version'}): users run a version that nobody reviewed.`,
      fix: 'Name one exact version in the entry, and publish a new entry for each release.',
    },
  ])
}

/** The folder of the package and its dependencies, where npx keeps one. */
function copyOf(place: NpmPlace, { signal }: RunContext): Promise<string | undefined> {
  return npxFolder(place, place.entry.packages, { limitMs: ASK_MS, signal })
}

async function readLock(file: string): Promise<z.infer<typeof Lock>> {
  const { size } = await stat(file)
  if (size > MOST_LOCK_BYTES) throw new Error('The list of packages is too large.')
  return Lock.parse(JSON.parse(await readFile(file, 'utf8')))
}

async function advisories(ctx: RunContext): Promise<CheckOutcome> {
  const place = npmPlaceOf(ctx.run)
  const folder = place && (await copyOf(place, ctx))
  if (!place || folder === undefined) return NO_COPY
  const words = ['audit', '--omit=dev']
  const { vulnerabilities } = await askNpm({ ...place, cwd: folder }, words, Audit, ctx)
  // What only depends on a vulnerable package is no finding of its own.
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
