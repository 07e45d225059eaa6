import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { builtProgram } from '../fixtures/built-program'
import { GROUPS } from './scenarios'
import { SERVER_GROUPS } from './server-scenarios'
import { StartedServer } from './started-server'
import { fetchSuite, runScenario, runServerScenario } from './suite'

const suites = await Promise.all(GROUPS.map(({ version }) => fetchSuite(version)))
const driver = builtProgram('e2e/conformance/driver.ts')

describe.each(GROUPS.map((group, index) => ({ ...group, suite: suites[index] })))(
  'B13 and C10: conformance to the $title',
  ({ quick, specVersion, suite }) => {
    const folder = suite?.kind === 'there' ? suite.folder : ''
    const why = suite?.kind === 'missing' ? ` (skipped: ${suite.reason})` : ''
    it.skipIf(folder === '').each(quick)(`passes the scenario %s${why}`, async (scenario) => {
      const of = {
        scenario,
        driver: driver.file,
        ...(specVersion !== undefined && { specVersion }),
      }
      const { isPassed, passed, said, output } = await runScenario(folder, of)
      expect({ isPassed, said }, output).toEqual({ isPassed: true, said: [] })
      expect(passed).toBeGreaterThan(0)
    })
  },
)

const quickGroups = SERVER_GROUPS.filter(({ quick }) => quick.length > 0)
const serverSuites = await Promise.all(quickGroups.map(({ version }) => fetchSuite(version)))

describe('D6: MCP through the gateway', () => {
  const fixture = builtProgram('e2e/conformance/fixture-server.ts')
  const gateway = builtProgram('e2e/conformance/gateway-front.ts')
  let front: StartedServer | undefined
  beforeAll(async () => {
    front = await StartedServer.start(gateway.file, [fixture.file])
  }, 60_000)
  afterAll(() => front?.[Symbol.asyncDispose]())

  describe.each(quickGroups.map((group, index) => ({ ...group, suite: serverSuites[index] })))(
    'conforms to the $title',
    ({ quick, specVersion, suite }) => {
      const folder = suite?.kind === 'there' ? suite.folder : ''
      const why = suite?.kind === 'missing' ? ` (skipped: ${suite.reason})` : ''
      it.skipIf(folder === '').each(quick)(`and passes the scenario %s${why}`, async (scenario) => {
        const of = { scenario, url: front?.url ?? '', ...(specVersion && { specVersion }) }
        const { isPassed, passed, said } = await runServerScenario(folder, of)
        expect({ isPassed, said }).toEqual({ isPassed: true, said: [] })
        expect(passed).toBeGreaterThan(0)
      })
    },
  )
})
