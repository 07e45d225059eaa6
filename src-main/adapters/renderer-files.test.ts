import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { contentSecurityPolicy } from './renderer-files'
import { readRendererFile } from './renderer-files'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-renderer-'))
const root = join(folder, 'renderer')
const text = (body: Uint8Array) => new TextDecoder().decode(body)

beforeAll(() => {
  mkdirSync(join(root, 'assets'), { recursive: true })
  mkdirSync(join(folder, 'renderer-of-another'))
  writeFileSync(join(root, 'index.html'), '<meta content="__CSP_NONCE__"><i nonce="__CSP_NONCE__">')
  writeFileSync(join(root, 'assets/a b.js'), 'const x = "__CSP_NONCE__"')
  writeFileSync(join(root, 'private.key'), 'secret')
  writeFileSync(join(folder, 'outside.js'), 'secret')
  writeFileSync(join(folder, 'renderer-of-another/x.js'), 'secret')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("D7: the renderer's files", () => {
  it('have a policy whose nonce is in the page, new each time', async () => {
    const first = await readRendererFile(root, '/')
    const nonce = /'nonce-([^']+)'/.exec(first.headers['content-security-policy'] ?? '')?.[1] ?? ''
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
    expect(text(first.body)).toBe(`<meta content="${nonce}"><i nonce="${nonce}">`)
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    const second = await readRendererFile(root, '/index.html')
    expect(second.headers['content-security-policy']).not.toContain(nonce)
  })

  it('are cached by the browser only if their name contains a hash', async () => {
    writeFileSync(join(root, 'assets/index-6tCqvISR.js'), 'x')
    const cachingOf = async (path: string): Promise<string | undefined> =>
      (await readRendererFile(root, path)).headers['cache-control']
    expect(await cachingOf('/assets/index-6tCqvISR.js')).toMatch(/immutable/u)
    expect(await cachingOf('/assets/a%20b.js')).toBe('no-store')
    expect(await cachingOf('/')).toBe('no-store')
  })

  it("are unchanged if they aren't pages", async () => {
    const script = await readRendererFile(root, '/assets/a%20b.js')
    expect(script.status).toBe(200)
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(text(script.body)).toContain('__CSP_NONCE__')
  })

  it.each([
    ['/missing.js', 404],
    ['/assets', 404],
    ['/index.html/x.js', 404],
    ['/private.key', 404],
    ['/%', 400],
    ['/%00.js', 400],
    ['/../outside.js', 400],
    ['/%2e%2e/outside.js', 400],
    ['/..%2foutside.js', 400],
    ['/assets/..%2f..%2foutside.js', 400],
    ['/..%5coutside.js', 400],
    ['/../renderer-of-another/x.js', 400],
    ['', 400],
  ])('%s is rejected with %i and no body', async (path, status) => {
    const answer = await readRendererFile(root, path)
    expect(answer).toMatchObject({ status })
    expect(answer.body).toHaveLength(0)
  })

  it('never come from outside the folder, whatever the path', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '/',
      '%2f',
      '%5c',
      '\\',
      'outside.js',
      'x.js',
      'renderer-of-another',
      'assets',
      '%2e%2e',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const answer = await readRendererFile(root, `/${parts.join('/')}`)
        expect(text(answer.body)).not.toContain('secret')
      }),
    )
  })
})

it('D7: the policy allows own scripts, styles with the nonce, and nothing else', () => {
  expect(contentSecurityPolicy({ nonce: 'abc', connect: ["'self'", 'ws://127.0.0.1:1'] })).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-abc'; font-src 'self'; " +
      "img-src 'self' data: blob:; media-src blob:; connect-src 'self' ws://127.0.0.1:1; " +
      "frame-src http://*.localhost:*; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(contentSecurityPolicy({ nonce: 'abc', connect: [] })).toContain("connect-src 'none'")
})
