import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { documentFile } from '../src-main/core/installation/store/document-over-conf'
import type { CallOutcome } from '../src-shared/domain/agents/activity'
import { AgentProfile } from '../src-shared/domain/agents/agent'
import { expectStatus, goTo } from './fixtures/drive'
import { keepCalls } from './fixtures/kept-calls'
import { openAgents } from './fixtures/open-agents'
import { expect, test } from './fixtures/patchbay-test'
import { installPublished, PUBLISHED } from './fixtures/published-servers'
import { shoot, WIDE } from './fixtures/shoot'
import { testCall } from './fixtures/test-calls'

type SampleCall = readonly [server: string, target: string, outcome?: CallOutcome, message?: string]

const SAMPLE_CALLS: readonly SampleCall[] = [
  ['Filesystem', 'read_text_file'],
  ['Filesystem', 'list_directory'],
  ['Memory', 'search_nodes'],
  ['Filesystem', 'write_file', 'denied', 'Nobody answered within 5 minutes.'],
  ['Filesystem', 'edit_file', 'rejected', 'edits[0].oldText is missing. Did you mean old_text?'],
  ['Memory', 'create_entities'],
  ['Filesystem', 'read_media_file', 'toolError', 'ENOENT: no such file or directory.'],
  ['Everything', 'long_running', 'timedOut', 'No answer came within 30 s.'],
  ['Everything', 'echo', 'cancelled'],
  ['Everything', 'get_sum', 'refused', 'Invalid params: b must be a number.'],
  ['Memory', 'read_graph', 'unreachable', 'Memory ended before it responded (exit code 1).'],
]
const AGENTS = ['Claude Code', 'Cursor', 'Zed']

/** Adds the agents, so that the names in the list lead somewhere. */
async function addAgents(profileDir: string): Promise<void> {
  const store = openAgents(profileDir)
  for (const name of AGENTS) await store.add(name, AgentProfile.parse({}))
}

/** The ids of the servers, by their names. */
function serverIds(profileDir: string): ReadonlyMap<string, string> {
  const { installations } = JSON.parse(readFileSync(documentFile(profileDir), 'utf8')) as {
    installations: { name: string; installationId: string }[]
  }
  return new Map(installations.map(({ name, installationId }) => [name, installationId]))
}

function calls(count: number, ids: ReadonlyMap<string, string>): ReturnType<typeof testCall>[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, at) => {
    // Most calls succeed: the others stand among them as they do in a day's work.
    const [serverName, target, outcome = 'ok', message] = SAMPLE_CALLS[
      at % 4 === 0 ? (at / 4) % SAMPLE_CALLS.length : at % 3
    ] ??
      SAMPLE_CALLS[0] ?? ['', '']
    return testCall({
      ...{ serverName, installationId: ids.get(serverName), target, outcome, message },
      at: now - (count - at) * 41_000,
      agentName: AGENTS[at % AGENTS.length] ?? '',
      agentId: (AGENTS[at % AGENTS.length] ?? '').toLowerCase().replace(' ', '-'),
      durationMs: 3 + ((at * 7_919) % 900),
      resultBytes: 90 + ((at * 104_729) % 90_000),
      arguments: JSON.stringify({ path: `/home/ada/notes/${target}.md`, head: 20 }),
    })
  })
}

test('what agents called, and one call in full', async ({ openApp, profileDir }) => {
  const empty = await openApp()
  await empty.page.setViewportSize(WIDE)
  await installPublished(empty.page, join(homedir(), 'notes'))
  await goTo(empty.page, 'Activity')
  await expect(empty.page.getByRole('heading', { name: 'No calls yet' })).toBeVisible()
  await shoot(empty.page, 'activity-empty')
  await empty.close()

  await addAgents(profileDir)
  keepCalls(profileDir, calls(1_284, serverIds(profileDir)))
  const { page } = await openApp()
  await page.setViewportSize(WIDE)
  for (const title of PUBLISHED) await expectStatus(page, title, 'Ready')
  await goTo(page, 'Activity')
  await expect(page.getByText('1,284 calls')).toBeVisible()
  await shoot(page, 'activity')
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('media')
  await page.getByRole('button', { name: 'read_media_file' }).first().click()
  await expect(page.getByRole('region', { name: 'read_media_file' })).toBeVisible()
  await shoot(page, 'activity-call')
})
