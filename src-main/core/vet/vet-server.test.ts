import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import { isRunning } from '../../../e2e/fixtures/is-running'
import { CHECK_MS, checkOf, outcomesOf, VetHarness } from '../../../e2e/fixtures/vetted-server'
import { vetHeadline } from '../../../src-shared/domain/vet/vet-report'

let bench: VetHarness

beforeEach(() => {
  bench = new VetHarness()
})
afterEach(() => bench.close())

describe('E14: the report of a server', () => {
  it('has no finding for a good server', async () => {
    const report = await bench.vet([])
    expect(outcomesOf(report)).toEqual([])
    expect(vetHeadline(report)).toMatch(/^0 problems, 0 suggestions\. \d+ checks passed/u)
  })

  it('has findings of every group for a bad server, with the secret masked', async () => {
    const flags = ['noise', 'old-version', 'bare-tool', 'takes-any-tool', 'prints-secret']
    const report = await bench.vet([...flags, 'leaves-process'])
    expect(outcomesOf(report)).toEqual([
      ...['must start.stdout', 'should protocol.version', 'should tools.descriptions'],
      ...['must errors.unknown-tool', 'must secrets.output', 'must end.processes'],
    ])
    const [finding] = checkOf(report, 'secrets.output').findings
    expect(finding).toMatchObject({
      message: 'The value of VET_SECRET appears in stderr.',
      received: 'Connecting with (the value)',
    })
  })
})

describe('E14: a server that fails during its checks', () => {
  it('is restarted after it ends, and the report says so', async () => {
    const report = await bench.vet(['dies-on-ping'])
    const restarted = report.checks.filter(({ restart }) => restart !== undefined)
    expect(restarted.map(({ id, restart }) => `${id}: ${restart ?? ''}`)).toContain(
      'protocol.ping: The server was restarted: it ended during this check (exit code 3).',
    )
    expect(outcomesOf(report)).toEqual(['must protocol.ping'])
  })

  it('delays no other check if it stops answering', async () => {
    const report = await bench.vet(['hangs'], { checkMs: 1_500 })
    expect(report.checks.every(({ outcome }) => outcome.length > 0)).toBe(true)
    expect(checkOf(report, 'protocol.ping').findings[0]?.received).toContain('no response')
    expect(checkOf(report, 'tools.descriptions').outcome).toBe('passed')
  })

  it('is read to its end if it floods stderr and stdout', async () => {
    expect(outcomesOf(await bench.vet(['floods']))).toEqual([])
  })

  it.each(['works', 'hangs', 'floods', 'leaves-process'])(
    'leaves no process if its check is stopped: %s',
    async (flag) => {
      const installationId = await bench.setUp([flag])
      const asked = { installationId, checkMs: CHECK_MS }
      const running = bench.harness.call('vet.run', asked)
      const stopped = expect(running).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
      await expect.poll(() => bench.pids().length).toBeGreaterThan(0)
      await bench.harness.call('vet.cancel', { installationId })
      await stopped
      expect(bench.pids().filter(isRunning)).toEqual([])
      expect(await bench.harness.call('vet.progress', { installationId })).toBeNull()
      expect(await bench.harness.call('vet.reports', { installationId })).toEqual([])
    },
  )

  it("has a single finding if it doesn't start", async () => {
    const report = await bench.vet(['dies-at-start'])
    expect(checkOf(report, 'start.ready')).toMatchObject({
      outcome: 'found',
      level: 'must',
      findings: [{ received: expect.stringContaining('weather.open is not') as string }],
    })
    expect(checkOf(report, 'protocol.ping')).toMatchObject({
      ...{ outcome: 'notChecked', isMissing: true, reason: 'The server didn’t start.' },
    })
    expect(outcomesOf(report).filter((one) => one.startsWith('must'))).toEqual(['must start.ready'])
  })

  it("has no finding if a value is missing, because it couldn't be checked", async () => {
    const entry = await bench.harness.paste(fixtureServer('vet.mjs', { args: ['needs-value'] }))
    const installationId = await bench.harness.setUp(entry, { start: false, name: 'Not starting' })
    const report = await bench.harness.call('vet.run', { installationId, checkMs: CHECK_MS })
    expect(report.checks.filter(({ outcome }) => outcome === 'found')).toEqual([])
    expect(checkOf(report, 'start.ready')).toMatchObject({
      ...{ outcome: 'notChecked', isMissing: true },
      reason: 'The server needs a value for VET_REQUIRED.',
    })
  })
})
