import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import type { UserRequestAnswer } from '../../../src-shared/domain/agents/user-request'
import { Harness } from '../../fixtures/harness'
import { realNpx } from '../../fixtures/real-tools'
import { ToolRunHarness } from '../../fixtures/tool-run-harness'

/** Most of this is the download. */
const LIMIT_MS = 240_000
const EVERYTHING = '@modelcontextprotocol/server-everything'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-trials-'))
const npx = await realNpx(folder, EVERYTHING)
const isMissing = npx.kind === 'missing'
const why = isMissing ? ` (skipped: ${npx.reason})` : ''
// No hook runs if every test is skipped.
if (isMissing) rmSync(folder, { recursive: true })
let harness: Harness | undefined
afterAll(async () => {
  await harness?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const SERVER = {
  name: 'real/everything',
  title: 'Everything',
  description: 'A published server.',
  version: '1.0.0',
  packages: [
    {
      registryType: 'npm',
      identifier: EVERYTHING,
      version: '2026.8.31',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
    },
  ],
}

async function open(): Promise<ToolRunHarness> {
  harness = new Harness()
  const values = { env_API_KEY: 'k3y-of-everything' }
  const id = await harness.install(SERVER, { values, budgets: { installMs: LIMIT_MS } })
  const kind = async (): Promise<string | undefined> => (await harness?.view(id))?.status.kind
  await expect.poll(kind, { timeout: LIMIT_MS, interval: 100 }).toMatch(/ready|degraded|error/u)
  return new ToolRunHarness(harness, id)
}

/** The result as written. */
async function resultOf(tried: ToolRunHarness, { toolRunId, outcome }: ToolRun): Promise<unknown> {
  expect(outcome).toMatchObject({ kind: 'result', isError: false })
  return JSON.parse(await tried.text(toolRunId))
}

/** Answers the first request of this run. */
async function answer(
  tried: ToolRunHarness,
  answered: UserRequestAnswer,
): Promise<string | undefined> {
  const first = async (): Promise<{ requestId: string; toolRunId?: string | undefined }[]> =>
    (await tried.harness.call('app.snapshot', {})).userRequests
  await expect.poll(async () => (await first()).length, { timeout: 30_000 }).toBe(1)
  const [request] = await first()
  const { requestId = '', toolRunId } = request ?? {}
  await tried.harness.call('userRequest.answer', { requestId, answer: answered })
  return toolRunId
}

describe.skipIf(isMissing)(`D5: tool runs of server-everything${why}`, () => {
  it(
    'show its content, progress, completions and updates, and answer its requests',
    async () => {
      const tried = await open()
      const image = await resultOf(tried, await tried.callTool('get-tiny-image'))
      expect(JSON.stringify(image)).toContain('"mimeType":"image/png"')
      const weather = await tried.callTool('get-structured-content', { location: 'Chicago' })
      expect(weather.outcome).toMatchObject({ checked: { isChecked: true, problems: [] } })
      const env = JSON.stringify(await resultOf(tried, await tried.callTool('get-env')))
      expect(env).toContain('API_KEY')
      expect(env).not.toContain('k3y-of-everything')
      const long = { duration: 1, steps: 4 }
      const { toolRunId } = await tried.callTool('trigger-long-running-operation', long)
      expect(tried.progress.at(-1)).toMatchObject({ toolRunId, progress: 4, total: 4 })
      expect((await tried.callTool('none')).outcome).toMatchObject({
        kind: expect.stringMatching(/result|refused/u) as string,
      })

      const uri = 'demo://resource/dynamic/text/1'
      const read = await resultOf(tried, await tried.run('resources/read', { uri }))
      expect(read).toMatchObject({ contents: [{ uri, mimeType: 'text/plain' }] })
      const given = { name: 'args-prompt', arguments: { city: 'Bern' } }
      const prompt = await resultOf(tried, await tried.run('prompts/get', given))
      expect(JSON.stringify(prompt)).toContain('Bern')
      const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
      const request = { ref, argument: { name: 'department', value: 'E' } }
      const { id: installationId } = tried
      expect(
        await tried.harness.call('toolRun.complete', { installationId, request }),
      ).toMatchObject({
        values: ['Engineering'],
      })

      const watcherId = randomUUID()
      await tried.harness.call('toolRun.watch', { installationId, uri, isWanted: true, watcherId })
      await tried.callTool('toggle-subscriber-updates')
      await expect.poll(() => tried.updated, { timeout: 30_000 }).toContain(uri)

      const asking = tried.callTool('trigger-elicitation-request')
      const of = await answer(tried, { kind: 'decline' })
      expect((await asking).toolRunId).toBe(of)
    },
    LIMIT_MS + 60_000,
  )
})
