import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import type { UserRequestBody } from '../../../src-shared/domain/agents/user-request'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { freePort } from '../../fixtures/free-port'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'
import { realNpx } from '../../fixtures/real-tools'

/** Most of this is the download. */
const LIMIT_MS = 240_000
const EVERYTHING = '@modelcontextprotocol/server-everything'
/** Three of them exist only for clients with roots and elicitation. */
const TOOLS = 16

const folder = mkdtempSync(join(tmpdir(), 'patchbay-remote-'))
const npx = await realNpx(folder, EVERYTHING)
const isMissing = npx.kind === 'missing'
const why = isMissing ? ` (skipped: ${npx.reason})` : ''
// No hook runs if every test is skipped.
if (isMissing) rmSync(folder, { recursive: true })

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const server = (title: string, offers: object): object => ({
  name: `real/${title.replace(/\W+/gu, '-')}`,
  title,
  description: 'A published server.',
  version: '1.0.0',
  ...offers,
})

/** server-everything serving HTTP at a port of this computer. */
const served = (mode: 'streamableHttp' | 'sse', port: number, url: string): object =>
  server(mode, {
    packages: [
      {
        registryType: 'npm',
        identifier: EVERYTHING,
        version: '2026.8.31',
        transport: { type: mode === 'sse' ? 'sse' : 'streamable-http', url },
        packageArguments: [{ type: 'positional', value: mode }],
        environmentVariables: [{ name: 'PORT', value: String(port) }],
      },
    ],
  })

async function untilConnected(harness: Harness, installationId: string): Promise<ServerView> {
  const kind = async (): Promise<string> => {
    const { status } = await harness.view(installationId)
    if (status.kind === 'error') throw new Error(JSON.stringify(status))
    return status.kind
  }
  await expect.poll(kind, { timeout: LIMIT_MS, interval: 100 }).toMatch(/ready|degraded/u)
  return harness.view(installationId)
}

const echo = (harness: Harness, installationId: string): Promise<unknown> =>
  harness
    .session(installationId)
    .request('tools/call', { name: 'echo', arguments: { message: 'hello' } })

/** Calls a tool that asks its user, who accepts everything; returns the requests and the result. */
async function askedBy(
  harness: Harness,
  installationId: string,
  call: { readonly name: string; readonly arguments: object },
): Promise<{ readonly bodies: UserRequestBody[]; readonly answer: string }> {
  const bodies = new Map<string, UserRequestBody>()
  const content = { name: 'Ann' }
  const listening = harness.patchbay.onEvent((event) => {
    if (event.channel !== 'userRequests.changed') return
    for (const { requestId, body } of event.payload.userRequests) {
      if (bodies.has(requestId)) continue
      bodies.set(requestId, body)
      const answer = { kind: 'accept', ...(body.kind === 'form' && { content }) } as const
      void harness.call('userRequest.answer', { requestId, answer })
    }
  })
  const answer = await harness.session(installationId).request('tools/call', call)
  listening[Symbol.dispose]()
  return { bodies: [...bodies.values()], answer: JSON.stringify(answer) }
}

const SAID = { content: [{ type: 'text', text: 'Echo: hello' }] }

describe.skipIf(isMissing)('C10: published servers over HTTP', () => {
  it(
    `are reached over streamable HTTP as a package that serves it, and as a remote${why}`,
    { timeout: LIMIT_MS },
    async () => {
      const harness = openHarness()
      const port = await freePort()
      const url = `http://127.0.0.1:${String(port)}/mcp`
      const local = await harness.install(served('streamableHttp', port, url))
      const view = await untilConnected(harness, local)
      expect([view.counts.tools, view.protocolVersion]).toEqual([TOOLS, '2025-11-25'])
      expect(view.pid).toBeGreaterThan(0)
      expect(await echo(harness, local)).toMatchObject(SAID)

      const entry = server('far', { remotes: [{ type: 'streamable-http', url }] })
      const far = await harness.install(entry, { offer: { kind: 'remote', index: 0 } })
      expect((await untilConnected(harness, far)).counts.tools).toBe(TOOLS)
      expect((await harness.view(far)).pid).toBeUndefined()
      expect(await echo(harness, far)).toMatchObject(SAID)

      const form = { name: 'trigger-elicitation-request', arguments: {} }
      const filled = await askedBy(harness, far, form)
      expect(filled.bodies.map(({ kind }) => kind)).toEqual(['form'])
      expect(filled.answer).toContain('Name: Ann\\n- Favorite Integer: 42')
      for (const errorPath of [false, true]) {
        const url = 'https://page.example/'
        const call = { name: 'trigger-url-elicitation', arguments: { url, errorPath } }
        const { bodies, answer } = await askedBy(harness, far, call)
        const hosts = bodies.map((body) => (body.kind === 'page' ? body.host : ''))
        // Called again after its error, it also sends a request.
        const first = errorPath ? ['modelcontextprotocol.io'] : []
        expect(hosts).toEqual([...first, 'page.example'])
        expect(answer).toContain('User completed the URL elicitation flow')
      }

      await harness.call('server.stop', { installationId: local })
      await expect.poll(async () => (await harness.view(local)).status.kind).toBe('stopped')
      await expect(echo(harness, far)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
    },
  )

  it(
    `are reached over the older HTTP+SSE, even if the entry names the newer transport${why}`,
    { timeout: LIMIT_MS },
    async () => {
      const harness = openHarness()
      const port = await freePort()
      const url = `http://127.0.0.1:${String(port)}/sse`
      const local = await harness.install(served('sse', port, url))
      expect((await untilConnected(harness, local)).counts.tools).toBe(TOOLS)
      expect(await echo(harness, local)).toMatchObject(SAID)

      const entry = server('far', { remotes: [{ type: 'streamable-http', url }] })
      const far = await harness.install(entry, { offer: { kind: 'remote', index: 0 } })
      expect((await untilConnected(harness, far)).counts.tools).toBe(TOOLS)
      expect(await echo(harness, far)).toMatchObject(SAID)
    },
  )
})

describe.skipIf(isMissing)('B13: a published server with sessions and stateless', () => {
  it(`uses initialize over stdio${why}`, { timeout: LIMIT_MS }, async () => {
    const harness = openHarness()
    const identifier = '@upstash/context7-mcp'
    const packages = [
      { registryType: 'npm', identifier, version: '4.1.1', transport: { type: 'stdio' } },
    ]
    const id = await harness.install(server('context7', { packages }))
    const { counts, protocolVersion } = await untilConnected(harness, id)
    expect([counts.tools, protocolVersion]).toEqual([2, '2025-11-25'])
    expect(harness.session(id).protocolMode).toBe('sessions')
    expect((await harness.view(id)).status.kind).toBe('ready')
  })
})
