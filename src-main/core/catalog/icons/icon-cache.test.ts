import { readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { IconCache, PICTURE_LIMIT, readDataAddress } from './icon-cache'

/** The header of a PNG of 48 by 48 pixels. */
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d494844520000003000000030', 'hex'),
  Buffer.alloc(24),
])
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'

/** A server of pictures; `asked` collects the requested paths. */
async function pictures(answers: Readonly<Record<string, Buffer | string>>) {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers[path]
    if (typeof answer === 'string' && answer.startsWith('to:')) {
      response.writeHead(302, { location: answer.slice(3) }).end()
    } else response.writeHead(answer === undefined ? 404 : 200).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Loopback stands in for a public host; the production rule has its own test. */
function openIconCache(
  folder = tempFolder('icons'),
  more: { cacheBytes?: number } = {},
): IconCache {
  const mayFetch = ({ hostname }: URL): boolean => hostname === '127.0.0.1'
  const cache = new IconCache({ folder, mayFetch, ...more })
  onTestFinished(() => cache[Symbol.dispose]())
  return cache
}

describe('D2: icons of listed servers', () => {
  it('are fetched once, cached on disk, and returned as data', async () => {
    const { asked, url } = await pictures({ '/a.png': PNG, '/b.svg': SVG, '/c': 'to:/a.png' })
    const folder = tempFolder('icons')
    const cache = openIconCache(folder)
    const [first, again] = await Promise.all([
      cache.read(`${url}/a.png`),
      cache.read(`${url}/a.png`),
    ])
    expect(first).toBe(`data:image/png;base64,${PNG.toString('base64')}`)
    expect(again).toBe(first)
    expect(await cache.read(`${url}/b.svg`)).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(await cache.read(`${url}/c`)).toBe(first)
    expect(await openIconCache(folder).read(`${url}/a.png`)).toBe(first)
    expect(asked).toEqual(['/a.png', '/b.svg', '/c', '/a.png'])
  })

  it("are absent if there is no picture, which isn't requested again in this run", async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(PICTURE_LIMIT)])
    const { asked, url } = await pictures({ '/page': '<!doctype html>', '/large': large })
    const cache = openIconCache()
    for (const path of ['/page', '/large', '/missing', '/page']) {
      expect(await cache.read(`${url}${path}`), path).toBeNull()
    }
    expect(asked).toEqual(['/page', '/large', '/missing'])
  })

  it('are never fetched from a forbidden address or redirect target', async () => {
    const { asked, url } = await pictures({ '/a': 'to:http://localhost:9/b.png', '/b.png': PNG })
    expect(await openIconCache().read(`${url}/a`)).toBeNull()
    expect(await openIconCache().read(`${url.replace('127.0.0.1', 'localhost')}/b.png`)).toBeNull()
    for (const address of ['', 'b.png', 'file:///b.png'])
      expect(await openIconCache().read(address), address).toBeNull()
    expect(asked).toEqual(['/a'])
  })

  it("are shown even if the cache can't be written", async () => {
    const { url } = await pictures({ '/a.png': PNG })
    const folder = join(tempFolder('icons'), 'file')
    writeFileSync(folder, 'a file where the folder should be')
    expect(await openIconCache(folder).read(`${url}/a.png`)).toMatch(/^data:image\/png/)
  })

  it('respect the disk limit, dropping the oldest first', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `/${index}.png`)
    const { url } = await pictures(Object.fromEntries(names.map((name) => [name, PNG])))
    const folder = tempFolder('icons')
    for (const name of names) await openIconCache(folder, { cacheBytes: 100 }).read(`${url}${name}`)
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('may be part of the entry itself', async () => {
    const cache = openIconCache()
    const plain = `data:image/svg+xml,${encodeURIComponent(SVG)}`
    expect(await cache.read(plain)).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(await cache.read(`data:image/png;base64,${PNG.toString('base64')}`)).not.toBeNull()
    expect(await cache.read('data:text/html,<script>')).toBeNull()
    expect(readDataAddress('data:,%E0%A4%A')).toBeUndefined()
    expect(readDataAddress('https://a.example')).toBeUndefined()
  })
})
