import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Harness, Harnesses } from '../../../e2e/fixtures/desk'
import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import {
  type VetCheck,
  type VetReport,
  vetHeadline,
} from '../../../src-shared/domain/vet/vet-report'

const HAS_STRACE = existsSync('/usr/bin/strace')
/** Of one check, in ms: enough for a start on a busy machine. */
const CHECK_MS = 10_000
const harnesses = new Harnesses()
let harness: Harness
let folder: string

beforeEach(() => {
  harness = harnesses.open()
  folder = mkdtempSync(join(homedir(), '.vet-fixture-'))
})
afterEach(async () => {
  await harnesses.closeAll()
  rmSync(folder, { recursive: true, force: true })
})

const VARIABLES = [
  { name: 'VET_REQUIRED', isRequired: true },
  { name: 'VET_SECRET', isSecret: true },
  { name: 'VET_FILE' },
]

async function vet(flags: readonly string[], options: object = {}): Promise<VetReport> {
  const server = fixtureServer('vet.mjs', {
    args: ['needs-value', ...flags],
    environmentVariables: VARIABLES,
  })
  const entry = await harness.paste(server)
  const values = Object.fromEntries(
    Object.entries({ VET_REQUIRED: 'value', VET_FILE: join(folder, 'state') }).map(
      ([name, value]) => [`env_${name}`, value],
    ),
  )
  const installationId = await harness.setUp(entry, { start: false, values })
  return harness.call('vet.run', {
    installationId,
    ...{ callReadOnly: true, checkMs: CHECK_MS, ...options },
  })
}

/** Checks with findings, and those that could not be done; "start.stdout: found". */
function outcomes({ checks }: VetReport): string[] {
  return checks
    .filter(({ outcome, isMissing = false }) => outcome === 'found' || isMissing)
    .map(({ id, outcome, level }) => (outcome === 'found' ? `${level} ${id}` : `${outcome} ${id}`))
}

function checkOf({ checks }: VetReport, id: string): VetCheck {
  const found = checks.find((one) => one.id === id)
  if (!found) throw new Error(`no check ${id}`)
  return found
}

describe('E14 the report of a server', () => {
  it('has no finding for a well-made server, and leaves no process', async () => {
    const report = await vet([])
    expect(outcomes(report)).toEqual([])
    expect(vetHeadline(report)).toMatch(/^0 problems, 0 suggestions\. \d+ checks passed/u)
  })

  it.each([
    ['noise', 'must start.stdout'],
    ['unnamed-value', 'should start.missing-values'],
    ['old-version', 'should protocol.version'],
    ['sessions-only', 'note protocol.stateless'],
    ['undeclared', 'must protocol.capabilities'],
    ['broken-list', 'must protocol.capabilities'],
    ['twice', 'must protocol.lists'],
    ['deaf-ping', 'must protocol.ping'],
    ['takes-any-method', 'should protocol.unknown-method'],
    ['wrong-code', 'note protocol.unknown-method'],
    ['silent', 'should protocol.unknown-method'],
    ['null-cursor', 'must protocol.messages'],
    ['one-at-a-time', 'must protocol.concurrent'],
    ['dies-on-text', 'should protocol.invalid-json'],
    ['wrong-schema', 'must tools.input-schema'],
    ['long-name', 'should tools.names'],
    ['union', 'should tools.model-schema'],
    ['bare-tool', 'should tools.descriptions'],
    ['bare-parameter', 'note tools.parameters'],
    ['unannotated', 'should tools.annotations'],
    ['many-tools', 'should tools.tokens'],
    ['hidden-text', 'must tools.hidden-text'],
    ['orders', 'note tools.instructions'],
    ['takes-any-tool', 'must errors.unknown-tool'],
    ['takes-no-argument', 'should errors.missing-argument'],
    ['unnamed-argument', 'should errors.missing-argument'],
    ['takes-any-type', 'should errors.wrong-type'],
    ['unnamed-type', 'should errors.wrong-type'],
    ['prints-secret', 'must secrets.output'],
    ['deaf-signal', 'should end.signal'],
    ['deaf-stdin', 'should end.stdin'],
    ['leaves-process', 'must end.processes'],
  ])('has exactly one finding for a server that is %s: %s', async (flag, expected) => {
    expect(outcomes(await vet([flag]))).toEqual([expected])
  })

  it.runIf(HAS_STRACE).each([
    ['connects', 'note reach.network', '192.0.2.1:80'],
    ['writes', 'note reach.files', 'vet-fixture-'],
  ])('sees from outside that a server %s: %s', async (flag, expected, evidence) => {
    const report = await vet([flag])
    expect(outcomes(report)).toEqual([expected])
    const [finding] = checkOf(report, expected.split(' ')[1] ?? '').findings
    expect(finding?.received).toContain(evidence)
  })
})

describe('E14 a server that fails during its checks', () => {
  it('is started again when it ends, and the report says so', async () => {
    const report = await vet(['dies-on-ping'])
    const restarted = report.checks.filter(({ restart }) => restart !== undefined)
    expect(restarted.map(({ id, restart }) => `${id}: ${restart ?? ''}`)).toContain(
      'protocol.ping: The server was restarted: it ended during this check (exit code 3).',
    )
    expect(outcomes(report)).toEqual(['must protocol.ping'])
  })

  it('keeps no check waiting when it answers nothing more', async () => {
    const report = await vet(['hangs'], { checkMs: 1_500 })
    expect(report.checks.every(({ outcome }) => outcome.length > 0)).toBe(true)
    expect(checkOf(report, 'protocol.ping').findings[0]?.received).toContain('no response')
    expect(checkOf(report, 'tools.descriptions').outcome).toBe('passed')
  })

  it('is read to its end when it floods stderr and stdout', async () => {
    expect(outcomes(await vet(['floods']))).toEqual([])
  })

  it('that doesn’t start has one finding, and nothing else is checked', async () => {
    const report = await vet(['unnamed-value'], {})
    expect(checkOf(report, 'start.ready').outcome).toBe('passed')
    const { installationId } = await notStarting()
    const failed = await harness.call('vet.run', { installationId, checkMs: CHECK_MS })
    expect(checkOf(failed, 'start.ready')).toMatchObject({
      outcome: 'found',
      level: 'must',
      findings: [{ received: expect.stringContaining('VET_REQUIRED is not set') as string }],
    })
    expect(checkOf(failed, 'protocol.ping')).toMatchObject({
      ...{ outcome: 'notChecked', isMissing: true, reason: 'The server didn’t start.' },
    })
  })
})

async function notStarting(): Promise<{ installationId: string }> {
  const entry = await harness.paste(fixtureServer('vet.mjs', { args: ['needs-value'] }))
  return { installationId: await harness.setUp(entry, { start: false, name: 'Not starting' }) }
}
