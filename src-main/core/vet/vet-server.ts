import { mkdtemp, rm } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ParseNotice } from '../../../src-shared/domain/server-json/server-json'
import {
  VET_SCHEMA_VERSION,
  type VetProgress,
  type VetReport,
} from '../../../src-shared/domain/vet/vet-report'
import { offerOf } from '../installation/installation-service'
import { isProgram } from '../launch/runners/resolve-command'
import type { Check, CheckNeed, VetEntry } from './check'
import { endChecks } from './checks/end-checks'
import { ERROR_CHECKS } from './checks/error-checks'
import { PACKAGE_CHECKS } from './checks/package-checks'
import { PROTOCOL_CHECKS } from './checks/protocol-checks'
import { reachChecks } from './checks/reach-checks'
import { START_CHECKS } from './checks/start-checks'
import { TOOL_CHECKS } from './checks/tool-checks'
import { runChecks } from './run-checks'
import { type OpenStart, VettedServer } from './vetted-server'

/** Default time limit of one check, in ms. */
export const CHECK_MS = 20_000

/** Share of a check's time for one response. */
const ANSWER_SHARE = 0.4

export type VetOptions = {
  /** Call read-only tools with invalid arguments. */
  readonly callReadOnly: boolean
  /** Ask the package registry for known vulnerabilities. */
  readonly advisories: boolean
  readonly checkMs: number
  readonly signal: AbortSignal
  readonly onProgress?: (progress: VetProgress) => void
}

/** The server to check, and the app's parts that check it. */
export type VetSubject = {
  readonly installation: Installation
  /** Ignored parts of the entry; undefined if the entry isn't available. */
  readonly notices: readonly ParseNotice[] | undefined
  readonly openStart: OpenStart
  /** The command or address, secrets masked. */
  readonly command: string
  readonly mask: (text: string) => string
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>
  readonly patchbayVersion: string
}

/** All checks in the order they run. */
export function allChecks(strace: string | undefined, traceDir: string): readonly Check[] {
  return [
    ...START_CHECKS,
    ...PACKAGE_CHECKS,
    ...PROTOCOL_CHECKS,
    ...TOOL_CHECKS,
    ...ERROR_CHECKS,
    ...reachChecks({ strace, traceDir }),
    ...endChecks(),
  ]
}

/**
 * Starts a server several times apart from the one that agents use, checks it, and ends everything it started. Rejects only if `signal` is
 * aborted.
 */
export async function vetServer(subject: VetSubject, options: VetOptions): Promise<VetReport> {
  const { installation, command, mask, countTokens, patchbayVersion } = subject
  const startedAt = new Date()
  const from = performance.now()
  const strace = await findStrace()
  const traceDir = await mkdtemp(join(tmpdir(), 'patchbay-vet-'))
  await using server = new VettedServer(subject.openStart)
  try {
    const checks = await runChecks(
      allChecks(strace, traceDir),
      {
        ...{ entry: entryOf(subject), server, countTokens, signal: options.signal },
        responseMs: options.checkMs * ANSWER_SHARE,
      },
      {
        ...{ allowed: allowedNeeds(options, strace), checkMs: options.checkMs },
        mask: (text) => mask(server.mask(text)),
        onProgress: options.onProgress,
      },
    )
    const { name, version } = installation.server
    return {
      ...{ schemaVersion: VET_SCHEMA_VERSION, patchbayVersion },
      server: { name, ...(version !== '' && { version }) },
      ...{ command: mask(command), system: `${platform()} ${arch()}` },
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(performance.now() - from),
      checks,
    }
  } finally {
    await rm(traceDir, { recursive: true, force: true })
  }
}

function allowedNeeds(
  { callReadOnly, advisories }: VetOptions,
  strace: string | undefined,
): Set<CheckNeed> {
  const allowed = new Set<CheckNeed>()
  if (callReadOnly) allowed.add('callReadOnly')
  if (advisories) allowed.add('advisories')
  if (strace !== undefined) allowed.add('strace')
  return allowed
}

function entryOf({ installation, notices }: VetSubject): VetEntry {
  const offer = offerOf(installation)
  const variables = offer.kind === 'package' ? offer.pkg.environmentVariables : []
  const named = (has: (one: (typeof variables)[number]) => boolean): string[] =>
    variables.filter(has).map(({ name }) => name)
  return {
    ...{ server: installation.server, offer, notices },
    isListed: installation.source !== 'hand',
    required: named(
      ({ isRequired, value, default: preset }) => isRequired === true && !(value ?? preset),
    ),
    secrets: named(({ isSecret }) => isSecret === true),
  }
}

async function findStrace(): Promise<string | undefined> {
  if (platform() !== 'linux') return undefined
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'strace')
    if (folder !== '' && (await isProgram(path))) return path
  }
  return undefined
}
