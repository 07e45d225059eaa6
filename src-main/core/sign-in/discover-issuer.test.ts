import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { discoverIssuer, issuerMetadata } from './discover-issuer'
import type { SignedIn } from './sign-in-record'

const RESOURCE = '/.well-known/oauth-protected-resource'
const ISSUER = '/.well-known/oauth-authorization-server'

/** The response at each path. */
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

describe('C10: authorization server discovery', () => {
  it("returns the issuer that the server's metadata names, with the issuer's own metadata", async () => {
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
  ])('rejects metadata that claims another issuer %s', async (_title, issuer) => {
    pages[`${RESOURCE}/mcp`] = { resource: `${origin}/mcp`, authorization_servers: [origin] }
    pages[ISSUER] = reported(issuer())
    await expect(discover()).rejects.toMatchObject(MISMATCH)
  })

  it("falls back to the server's origin for 2025-03-26 servers, at any of their paths", async () => {
    pages[ISSUER] = reported(`${origin}/oauth`)
    expect(await discover()).toMatchObject({
      authorizationServerUrl: `${origin}/`,
      authorizationServerMetadata: { issuer: `${origin}/oauth` },
      resourceMetadata: undefined,
    })
  })

  it.each(['https://elsewhere.test', 'https://elsewhere.test/oauth', 'oauth', ''])(
    'rejects issuer "%s" of another origin if the server names none',
    async (issuer) => {
      pages[ISSUER] = reported(issuer)
      await expect(discover()).rejects.toMatchObject(MISMATCH)
    },
  )

  it("doesn't guess an issuer if the metadata address that the server named is missing", async () => {
    pages[ISSUER] = reported(`${origin}/oauth`)
    await expect(discover(new URL(RESOURCE, origin))).rejects.toMatchObject(MISMATCH)
  })

  it("doesn't guess an issuer if the server's metadata names none", async () => {
    pages[`${RESOURCE}/mcp`] = { resource: `${origin}/mcp` }
    pages[ISSUER] = reported(`${origin}/oauth`)
    await expect(discover()).rejects.toMatchObject(MISMATCH)
  })

  it('accepts an issuer without metadata', async () => {
    const found = await discover()
    expect(found).toMatchObject({ authorizationServerUrl: `${origin}/` })
    expect(found.authorizationServerMetadata).toBeUndefined()
  })
})

describe('C10: the issuer at refresh and revocation', () => {
  const later = (issuer: string) =>
    issuerMetadata({ authorizationServerUrl: `${origin}/`, issuer } as SignedIn, fetch)

  it('stays the original issuer, even if its path lies below the requested address', async () => {
    pages[ISSUER] = reported(`${origin}/oauth`)
    expect(await later(`${origin}/oauth`)).toMatchObject({ issuer: `${origin}/oauth` })
    pages[ISSUER] = reported(origin)
    expect(await later(`${origin}/`)).toMatchObject({ issuer: origin })
  })

  it('rejects another issuer of the same origin', async () => {
    pages[ISSUER] = reported(`${origin}/other`)
    await expect(later(`${origin}/oauth`)).rejects.toMatchObject(MISMATCH)
    await expect(later(`${origin}/`)).rejects.toMatchObject(MISMATCH)
  })
})
