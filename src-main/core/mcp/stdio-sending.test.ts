import { describe, expect, it } from 'vitest'

import { openTransport, soon } from '../../../e2e/fixtures/open-transport'

describe('B2 what is sent to a server', () => {
  it('is gathered for one write while a turn lasts, and goes out in its order', async () => {
    const { transport, stdin } = openTransport()
    await soon()
    stdin.read()
    const sent = [11, 12, 13].map((id) => transport.send({ jsonrpc: '2.0', id, method: 'x' }))
    expect(stdin.writableCorked).toBe(1)
    await Promise.all(sent)
    expect(stdin.writableCorked).toBe(0)
    const lines = String(stdin.read()).trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([11, 12, 13])
  })

  it('has no sign in it that a server may take for the end of a line', async () => {
    const { transport, stdin } = openTransport()
    await soon()
    stdin.read()
    const params = { text: 'a\u2028b\u2029c\r\n\u{1F600}' }
    await transport.send({ jsonrpc: '2.0', id: 20, method: 'x', params })
    const line = String(stdin.read())
    expect(line.split(/[\n\r\u2028\u2029\u0085]/u)).toHaveLength(2)
    expect(JSON.parse(line)).toMatchObject({ params })
  })
})

describe('B2 a request to a server that does not read', () => {
  it('waits for the pipe, and is refused once too much waits there', async () => {
    const { transport, stdin } = openTransport()
    const params = { text: 'x'.repeat(70 * 1024 * 1024) }
    let isSent = false
    void transport.send({ jsonrpc: '2.0', id: 50, method: 'x', params }).then(() => (isSent = true))
    await soon()
    expect(isSent).toBe(false)
    const more = transport.send({ jsonrpc: '2.0', id: 51, method: 'x' })
    await expect(more).rejects.toMatchObject({ code: 'SERVER_NOT_READING' })
    stdin.resume()
    await expect.poll(() => isSent).toBe(true)
  })
})
