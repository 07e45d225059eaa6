import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { discoverIssuer, issuerMetadata } from './discover-issuer'
import type { SignedIn } from './sign-in-record'

const RESOURCE = '/.well-known/oauth-protected-resource'
const ISSUER = '/.well-known/oauth-authorization-server'

/** What is answered at each path. */
let pages: Record<string, object>
let http: Server
let origin: string

beforeEach(async () => {
  pages = {}
  http = createServer(({ url = '' }, response) => {
    const page = pages[url]
    response.writeHead(page ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(page ?? {}))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`
})
afterEach(() => new Promise<unknown>((resolve) => http.close(resolve)))

const reported = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  response_types_supported: ['code'],
})

const discover = (resourceMetadataUrl?: URL) =>
  discoverIssuer(new URL('/mcp', origin), resourceMetadataUrl, fetch)

const MISMATCH = { name: 'IssuerMismatchError', kind: 'metadata' }

describe('C10: who signs people in at a server', () => {
  it('is who its metadata names, and what it says of itself', async () => {
    pages[`${RESOURCE}/mcp`] = { resource: `${origin}/mcp`, authorization_servers: [origin] }
    pages[ISSUER] = reported(origin)
    expect(await discover()).toMatchObject({
      authorizationServerUrl: origin,
      authorizationServerMetadata: { issuer: origin },
      resourceMetadata: { resource: `${origin}/mcp` },
    })
  })

  it.each([
    ['of the same origin', () => `${origin}/oauth`],
    ['of another origin', () => 'https://elsewhere.test'],
  ])('is not one who says to be another issuer %s', async (_title, issuer) => {
    pages[`${RESOURCE}/mcp`] = { resource: `${origin}/mcp`, authorization_servers: [origin] }
    pages[ISSUER] = reported(issuer())
    await expect(discover()).rejects.toMatchObject(MISMATCH)
  })

  it('is the origin of a server that names nobody, as of 2025-03-26, by whichever path of it', async () => {
    pages[ISSUER] = reported(`${origin}/oauth`)
    expect(await discover()).toMatchObject({
      authorizationServerUrl: `${origin}/`,
      authorizationServerMetadata: { issuer: `${origin}/oauth` },
      resourceMetadata: undefined,
    })
  })

  it.each(['https://elsewhere.test', 'https://elsewhere.test/oauth', 'oauth', ''])(
    'is not the issuer "%s" of another origin, where the server names nobody',
    async (issuer) => {
      pages[ISSUER] = reported(issuer)
      await expect(discover()).rejects.toMatchObject(MISMATCH)
    },
  )

  it('is not guessed where the server names metadata of its own that is not there', async () => {
    pages[ISSUER] = reported(`${origin}/oauth`)
    await expect(discover(new URL(RESOURCE, origin))).rejects.toMatchObject(MISMATCH)
  })

  it('is not guessed where the metadata of the server is there and names nobody', async () => {
    pages[`${RESOURCE}/mcp`] = { resource: `${origin}/mcp` }
    pages[ISSUER] = reported(`${origin}/oauth`)
    await expect(discover()).rejects.toMatchObject(MISMATCH)
  })

  it('may tell nothing of itself', async () => {
    const found = await discover()
    expect(found).toMatchObject({ authorizationServerUrl: `${origin}/` })
    expect(found.authorizationServerMetadata).toBeUndefined()
  })
})

describe('C10: the issuer of tokens, when they are refreshed or taken back', () => {
  const later = (issuer: string) =>
    issuerMetadata({ authorizationServerUrl: `${origin}/`, issuer } as SignedIn, fetch)

  it('is the one of then, be it below the address that it was asked at', async () => {
    pages[ISSUER] = reported(`${origin}/oauth`)
    expect(await later(`${origin}/oauth`)).toMatchObject({ issuer: `${origin}/oauth` })
    pages[ISSUER] = reported(origin)
    expect(await later(`${origin}/`)).toMatchObject({ issuer: origin })
  })

  it('is not another one, also of the same origin', async () => {
    pages[ISSUER] = reported(`${origin}/other`)
    await expect(later(`${origin}/oauth`)).rejects.toMatchObject(MISMATCH)
    await expect(later(`${origin}/`)).rejects.toMatchObject(MISMATCH)
  })
})
