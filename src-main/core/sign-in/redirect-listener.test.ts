import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import { listenForRedirect, type RedirectListener } from './redirect-listener'

let listener: RedirectListener
let refused: number

beforeEach(async () => {
  refused = 0
  listener = await listenForRedirect({ state: 'right', onRefused: () => (refused += 1) })
})
afterEach(() => listener[Symbol.dispose]())

function at(query: string): string {
  return `${listener.redirectUrl}?${query}`
}

async function isAnswered(): Promise<boolean> {
  return Promise.race([listener.answer.then(() => true), pause(20).then(() => false)])
}

describe('C10: the way back from the authorization page', () => {
  it('is on 127.0.0.1, takes one answer with the right state, and shows a page that loads and keeps nothing', async () => {
    expect(new URL(listener.redirectUrl).hostname).toBe('127.0.0.1')
    const first = await fetch(at('state=right&code=abc'))
    expect(first.status).toBe(200)
    expect(await first.text()).toContain('You can close this tab')
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      'x-frame-options': 'DENY',
    })
    expect((await listener.answer).get('code')).toBe('abc')
    const second = await fetch(at('state=right&code=def'))
    expect(second.status).toBe(410)
    expect((await listener.answer).get('code')).toBe('abc')
    expect(refused).toBe(0)
  })

  it.each(['state=wrong&code=abc', 'code=abc', 'state=right&state=right&code=abc', 'state='])(
    'takes no answer of %s, and waits on',
    async (query) => {
      expect((await fetch(at(query))).status).toBe(400)
      expect(refused).toBe(1)
      expect(await isAnswered()).toBe(false)
      expect((await fetch(at('state=right&code=abc'))).status).toBe(200)
    },
  )

  it('takes it while another account holds idle connections', async () => {
    const { port, hostname } = new URL(listener.redirectUrl)
    const idle: Socket[] = []
    for (let count = 0; count < 40; count += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      idle.push(socket)
      await once(socket, 'connect')
    }
    expect((await fetch(at('state=right&code=abc'))).status).toBe(200)
    for (const one of idle) one.destroy()
  })

  it('takes none at another path, by another method or for another host', async () => {
    const { origin, port } = new URL(listener.redirectUrl)
    expect((await fetch(`${origin}/other?state=right`)).status).toBe(404)
    expect((await fetch(at('state=right'), { method: 'POST' })).status).toBe(405)
    const status = await new Promise((resolve, reject) => {
      const path = '/callback?state=right&code=abc'
      const headers = { host: `rebound.invalid:${port}` }
      request({ host: '127.0.0.1', port, path, headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
    expect(refused).toBe(0)
    expect(await isAnswered()).toBe(false)
  })

  it('is closed once it is disposed', async () => {
    listener[Symbol.dispose]()
    await expect(fetch(at('state=right'))).rejects.toThrow()
  })
})
