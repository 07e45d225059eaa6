import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { sha256Of } from '../../../../e2e/fixtures/make-bundle'
import { pause } from '../../../../e2e/fixtures/pause'
import { AppError } from '../../../../src-shared/domain/app-error'
import { DEFAULT_BUNDLE_LIMITS } from './bundle-error'
import { fetchBundle, type FetchOptions, isSecureAddress } from './fetch-bundle'
import type { SavedBundle } from './save-bundle'

let home: string
let file: string
const closing: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'patchbay-fetch-'))
  file = join(home, 'fetched')
})
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
  await rm(home, { recursive: true, force: true })
})

async function serve(
  listener: (...asked: Parameters<RequestListener>) => unknown,
): Promise<string> {
  const server = createServer((...asked) => void listener(...asked))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

/** Loopback counts as https here; everything else follows the product's rule. */
const mayFetch = (address: URL): boolean =>
  address.hostname === '127.0.0.1' || isSecureAddress(address)

type Change = Partial<Omit<FetchOptions, 'limits'>> & { limits?: Partial<FetchOptions['limits']> }

function get(address: string, { limits, ...change }: Change = {}): Promise<SavedBundle> {
  return fetchBundle(address, file, {
    limits: { ...DEFAULT_BUNDLE_LIMITS, ...limits },
    signal: new AbortController().signal,
    onProgress: () => undefined,
    mayFetch,
    ...change,
  })
}

async function failure(address: string, change?: Change): Promise<AppError> {
  const error: unknown = await get(address, change).catch((reason: unknown) => reason)
  if (error instanceof AppError) return error
  throw new Error(`Expected an AppError, got ${JSON.stringify(error)}`)
}

const BODY = Buffer.from('bundle '.repeat(100_000))

function answer(response: ServerResponse, body = BODY): void {
  response.writeHead(200, { 'content-length': String(body.length) }).end(body)
}

describe('downloading a bundle', () => {
  it('writes every byte, reports progress, and hashes what it wrote', async () => {
    const address = await serve((_, response) => answer(response))
    const reported: (readonly [number, number | undefined])[] = []
    const saved = await get(`${address}/x.mcpb`, {
      onProgress: (received, total) => reported.push([received, total]),
    })
    expect(saved).toEqual({ sha256: sha256Of(BODY), bytes: BODY.length })
    expect(readFileSync(file).equals(BODY)).toBe(true)
    expect(reported.at(-1)).toEqual([BODY.length, BODY.length])
    expect(reported.map(([received]) => received)).toEqual(
      reported.map(([received]) => received).toSorted((a, b) => a - b),
    )
  })

  it('requests the file without encoding, because the hash covers the file', async () => {
    const seen: unknown[] = []
    const address = await serve((request, response) => {
      seen.push(request.headers['accept-encoding'])
      answer(response)
    })
    await get(address)
    expect(seen).toEqual(['identity'])
  })

  it('follows redirects to other hosts', async () => {
    const store = await serve((request, response) => {
      expect(request.url).toBe('/deep/file?signature=1')
      answer(response)
    })
    const first = await serve((request, response) => {
      const location = request.url === '/x' ? '/y' : `${store}/deep/file?signature=1`
      response.writeHead(302, { location }).end()
    })
    expect((await get(`${first}/x`)).bytes).toBe(BODY.length)
  })
})

describe('addresses of downloads', () => {
  it.each([
    'http://bundles.example/x.mcpb',
    'http://127.0.0.1:9/x.mcpb',
    'http://localhost/x.mcpb',
    'file:///etc/passwd',
    'ftp://bundles.example/x',
    'data:application/zip;base64,AAAA',
    'https://name:password@bundles.example/x',
    './x.mcpb',
    'an invalid address',
  ])("are rejected by the product's rule: %s", async (address) => {
    const error = await failure(address, { mayFetch: isSecureAddress })
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(error.message).toMatch(/isn’t https/)
    expect(error.message).not.toMatch(/password/)
    expect(existsSync(file)).toBe(false)
  })

  it.each(['http://bundles.example/x', 'file:///etc/passwd', 'http://[::1]:9/x'])(
    'are checked after a redirect to %s',
    async (location) => {
      const address = await serve((_, response) => response.writeHead(302, { location }).end())
      const error = await failure(address)
      expect(error.code).toBe('INVALID_BUNDLE')
      expect(error.message).toMatch(/redirects to/)
      expect(existsSync(file)).toBe(false)
    },
  )

  it('are followed only for a limited number of redirects', async () => {
    let asked = 0
    const address = await serve((_, response) => {
      asked += 1
      response.writeHead(302, { location: '/again' }).end()
    })
    const error = await failure(address, { limits: { redirects: 4 } })
    expect(error.message).toMatch(/more than 4 redirects/)
    expect(asked).toBe(5)
  })
})

describe('failed downloads', () => {
  it("name the server's status", async () => {
    const address = await serve((_, response) => response.writeHead(404).end('gone'))
    const error = await failure(address)
    expect(error).toMatchObject({ code: 'INSTALL_FAILED' })
    expect(error.message).toMatch(/responded with status 404/)
  })

  it('name a response without a file', async () => {
    const address = await serve((_, response) => response.writeHead(204).end())
    const error = await failure(address)
    expect(error).toMatchObject({ code: 'INSTALL_FAILED' })
    expect(error.message).toMatch(/the response is empty/)
  })

  it('reject an incomplete file', async () => {
    const address = await serve((_, response) => {
      response.writeHead(200, { 'content-length': String(BODY.length) })
      response.write(BODY.subarray(0, 1_000), () => response.destroy())
    })
    expect(await failure(address)).toMatchObject({ code: 'INSTALL_FAILED' })
  })

  it('reject an incomplete file without a declared length', async () => {
    const address = await serve((_, response) => {
      response.write(BODY.subarray(0, 1_000), () => response.destroy())
    })
    expect(await failure(address)).toMatchObject({ code: 'INSTALL_FAILED' })
  })

  it('reject a declared length above the limit before writing a byte', async () => {
    const address = await serve((_, response) => answer(response))
    const error = await failure(address, { limits: { fileBytes: 1_000 } })
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(error.message).toMatch(/larger than/)
    expect(existsSync(file)).toBe(false)
  })

  it('stop at the size limit without a declared length', async () => {
    const address = await serve((_, response) => {
      response.writeHead(200)
      response.write(BODY)
    })
    const error = await failure(address, { limits: { fileBytes: 1_000 } })
    expect(error.code).toBe('INVALID_BUNDLE')
  })

  it('time out if nothing arrives, and if the whole takes too long', async () => {
    const address = await serve((_, response) => response.writeHead(200).write('x'))
    expect((await failure(address, { limits: { stallMs: 100 } })).message).toMatch(
      /no data arrived for 0\.1 s/,
    )
    await rm(file, { force: true })
    expect((await failure(address, { limits: { downloadMs: 100 } })).message).toMatch(
      /longer than 0\.1 s/,
    )
  })

  it("don't time out while a slow server sends data", async () => {
    const address = await serve(async (_, response) => {
      response.writeHead(200)
      for (let sent = 0; sent < 12; sent += 1) {
        response.write('x')
        await pause(300)
      }
      response.end()
    })
    expect((await get(address, { limits: { stallMs: 3_000 } })).bytes).toBe(12)
  })

  it('report a server without a response in plain words', async () => {
    const address = await serve((_, response) => answer(response))
    await Promise.all(closing.splice(0).map((close) => close()))
    expect((await failure(address)).message).toMatch(/the connection was refused/)
  })

  it("end with the user's cancellation, and close the connection", async () => {
    const end = new AbortController()
    const closed = Promise.withResolvers<undefined>()
    const address = await serve((request, response) => {
      request.socket.once('close', () => closed.resolve(undefined))
      response.writeHead(200).write(BODY)
    })
    const error = await failure(address, {
      signal: end.signal,
      onProgress: () => end.abort(),
    })
    expect(error.code).toBe('REQUEST_CANCELLED')
    await closed.promise
  })
})
